import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { binary } from '../../executable.ts'
import type { Key } from '../../gateway.ts'

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A folder with nothing in it, and the executable run there with nothing but its settings in the environment. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'waypost-binary-'))
  readonly #env: Readonly<Record<string, string>>
  readonly #running: Running[] = []

  /** @param upstreamUrl where the gateway sends to @param settings further ones */
  constructor(upstreamUrl: string, settings: Readonly<Record<string, string>> = {}) {
    this.#env = {
      PATH: '/usr/bin:/bin',
      PORT: '0',
      LOG_FORMAT: 'json',
      CHANNEL_API_URL: upstreamUrl,
      PUBLIC_IP_RATE_LIMIT: '0',
      PUBLIC_API_KEY_RATE_LIMIT: '0',
      ...settings,
    }
  }

  /** The data folder is the default one: `data` in the folder that the executable is started in. */
  files(): string[] {
    return readdirSync(this.folder).sort()
  }

  plant(name: string, text: string): void {
    const path = join(this.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  #spawn(args: readonly string[]) {
    return Bun.spawn([binary, ...args], {
      cwd: this.folder,
      env: this.#env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async run(...args: readonly string[]): Promise<Ended> {
    const child = this.#spawn(args)
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { code, stdout, stderr }
  }

  /** Runs a command that must succeed. @returns the JSON document that it answers */
  async json<Shape>(...args: readonly string[]): Promise<Shape> {
    const { code, stdout, stderr } = await this.run(...args, '--json')
    if (code !== 0) throw new Error(`waypost ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as Shape
  }

  /** Sets up a workspace with a channel, an unpaced line and a key, all by commands. */
  async provision() {
    const { id: workspaceId } = await this.json<{ id: string }>('workspace', 'create', '--name', 'Acme')
    const channel = await this.json<{ id: string; callbackPath: string }>(
      ...['channel', 'connect', '--workspace', workspaceId, '--account-id', '100001', '--no-verify'],
      ...['--access-token', 'access-token', '--app-secret', appSecret],
    )
    const line = await this.json<{ id: string }>(
      ...['line', 'add', '--channel', channel.id, '--upstream-phone-id', '106540352242922', '--number', '+15550783881'],
    )
    await this.json('line', 'set-rate', line.id, '--per-second', '0', '--pair-seconds', '0')
    const key = await this.createKey(workspaceId)
    return { workspaceId, callbackPath: channel.callbackPath, key }
  }

  createKey = (workspaceId: string) => this.json<Key>('key', 'create', '--workspace', workspaceId)

  /** Starts `waypost serve` and waits for the line that tells its address. */
  async serve(): Promise<Running> {
    const child = this.#spawn(['serve'])
    const lines = linesOf(child.stderr)
    for (;;) {
      const { value: line, done } = await lines.next()
      if (done) throw new Error(`waypost serve ended with ${await child.exited} before it was ready`)
      const { msg, url } = JSON.parse(line) as { msg: string; url?: string }
      if (msg !== 'the gateway is ready' || url === undefined) continue
      // What follows is read as well, or a full pipe would stop the gateway.
      const rest = (async () => {
        for await (const _line of lines);
      })()
      const running = new Running(url, child, rest)
      this.#running.push(running)
      return running
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.#running.map(running => running.end('SIGKILL')))
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export const appSecret = 'app-secret'

/** A gateway that runs. */
export class Running {
  readonly url: string
  readonly #child: Bun.Subprocess
  readonly #rest: Promise<void>

  constructor(url: string, child: Bun.Subprocess, rest: Promise<void>) {
    this.url = url
    this.#child = child
    this.#rest = rest
  }

  signal(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
    this.#child.kill(signal)
  }

  /** @returns the exit code, once the process has ended. */
  async ended(): Promise<number> {
    const code = await this.#child.exited
    await this.#rest
    return code
  }

  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    this.signal(signal)
    return this.ended()
  }

  async get(path: string, key?: Key): Promise<{ status: number; type: string; text: string }> {
    const answer = await fetch(this.url + path, { headers: { ...key } })
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() }
  }

  async send(key: Key, idempotencyKey: string): Promise<{ status: number; json: Sent }> {
    const answer = await fetch(`${this.url}/api/v1/public/messages/send`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'text', phone: '+15550100200', content: 'Your parcel is here.', idempotencyKey }),
    })
    return { status: answer.status, json: (await answer.json()) as Sent }
  }

  async status(key: Key, messageId: string): Promise<{ status: number; json: Sent }> {
    const { status, text } = await this.get(`/api/v1/public/messages/${messageId}`, key)
    return { status, json: JSON.parse(text) as Sent }
  }
}

/** What send and status answer; `error` instead of `data` when they refuse. */
interface Sent {
  readonly error?: string
  readonly data?: { readonly id: string; readonly status: string; readonly idempotentReplay: boolean }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
