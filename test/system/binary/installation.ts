import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { binary } from '../../executable.ts'
import type { Key } from '../../gateway.ts'
import { environment, type Serving, serve } from '../rig/serving.ts'

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A folder with nothing in it, and the executable run there with nothing but its settings in the environment. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'waypost-binary-'))
  readonly #env: Readonly<Record<string, string>>
  readonly #servings: Serving[] = []

  /** @param upstreamUrl where the gateway sends to @param settings further ones */
  constructor(upstreamUrl: string, settings: Readonly<Record<string, string>> = {}) {
    this.#env = { ...environment, CHANNEL_API_URL: upstreamUrl, ...settings }
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

  async run(...args: readonly string[]): Promise<Ended> {
    const child = Bun.spawn([binary, ...args], {
      cwd: this.folder,
      env: this.#env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
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
    const serving = serve({ env: this.#env, cwd: this.folder })
    this.#servings.push(serving)
    const url = await serving.ready
    if (url === null) throw new Error(`waypost serve ended with ${await serving.ended} before it was ready`)
    return new Running(url, serving)
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servings.map(serving => serving.end('SIGKILL')))
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export const appSecret = 'app-secret'

/** A gateway that runs. */
export class Running {
  readonly url: string
  readonly serving: Serving

  constructor(url: string, serving: Serving) {
    this.url = url
    this.serving = serving
  }

  end(signal: Parameters<Serving['end']>[0]): Promise<number> {
    return this.serving.end(signal)
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
