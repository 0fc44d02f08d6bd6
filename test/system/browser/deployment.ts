import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../eventually.ts'
import { binary } from '../../executable.ts'
import { freePort } from '../../freePort.ts'

/** What the stand-in for the upstream prints about itself. */
interface SandboxAccount {
  readonly url: string
  readonly accountId: string
  readonly accessToken: string
  readonly appSecret: string
  readonly lines: readonly { readonly upstreamPhoneId: string; readonly number: string }[]
}

/** A command that goes on, with all that it has printed so far. */
class Running {
  stdout = ''
  stderr = ''
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  readonly #read: Promise<unknown>

  constructor(folder: string, env: Readonly<Record<string, string>>, args: readonly string[]) {
    this.#child = Bun.spawn([binary, ...args], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const { stdout, stderr } = this.#child
    this.#read = Promise.all([
      drain(stdout, text => {
        this.stdout += text
      }),
      drain(stderr, text => {
        this.stderr += text
      }),
    ])
  }

  /** Waits for a line on standard output. */
  async printed(pattern: RegExp): Promise<string> {
    let found: string | undefined
    await eventually(() => {
      if (this.#child.exitCode !== null) throw new Error(`It ended with ${this.#child.exitCode}: ${this.stderr}`)
      found = pattern.exec(this.stdout)?.[0]
      if (found === undefined) throw new Error(`${pattern} was not printed: ${this.stdout}${this.stderr}`)
    })
    return found ?? ''
  }

  async end(): Promise<number> {
    this.#child.kill('SIGTERM')
    const code = await this.#child.exited
    await this.#read
    return code
  }
}

async function drain(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text)
}

/**
 * The executable in a folder of its own, as an operator starts it: `waypost sandbox`, and `waypost serve` on it. What
 * the gateway prints is kept, to look for secrets in it.
 */
export class Deployment implements AsyncDisposable {
  readonly sandbox: SandboxAccount
  /** Of the gateway, also after it was started anew. */
  readonly url: string
  readonly #folder: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #upstream: Running
  readonly #gateways: Running[] = []
  /** The secrets that the story came across, and what each is. */
  readonly #secrets = new Map<string, string>()

  private constructor(folder: string, upstream: Running, sandbox: SandboxAccount) {
    const port = String(freePort())
    this.#folder = folder
    this.#upstream = upstream
    this.sandbox = sandbox
    this.url = `http://127.0.0.1:${port}`
    this.#settings = {
      ...{ PORT: port, CHANNEL_API_URL: sandbox.url, LOG_FORMAT: 'json', LOG_LEVEL: 'debug' },
      // Where the receivers of the stories are.
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
      GRAPH_API: 'on',
    }
    this.keepSecret(sandbox.accessToken, 'access token of the channel')
    this.keepSecret(sandbox.appSecret, 'app secret of the channel')
  }

  /** The stand-in delivers at once, so that no story waits for it. The gateway is started by {@link serve}. */
  static async start(): Promise<Deployment> {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-browser-'))
    const delays = ['--delivered-after-ms', '50', '--read-after-ms', '100']
    const upstream = new Running(folder, {}, ['sandbox', '--port', '0', '--json', ...delays])
    return new Deployment(folder, upstream, JSON.parse(await upstream.printed(/^\{.*\}$/m)) as SandboxAccount)
  }

  /** Starts the gateway, and waits until it takes requests. @param changed settings that differ from the usual ones */
  async serve(changed: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#gateways.push(new Running(this.#folder, { ...this.#settings, ...changed }, ['serve']))
    await eventually(async () => {
      const { ok } = await fetch(`${this.url}/readyz`)
      if (!ok) throw new Error('the gateway is not ready')
    })
  }

  /** Runs a command beside the gateway, as an operator does. @returns its answer */
  async run<Answer>(...args: readonly string[]): Promise<Answer> {
    const env = { PATH: '/usr/bin:/bin', ...this.#settings }
    const command = Bun.spawn([binary, ...args, '--json'], { cwd: this.#folder, env, stdin: 'ignore' })
    return JSON.parse(await command.stdout.text()) as Answer
  }

  /** Stops the gateway as an operator does. @returns its exit code */
  async stopGateway(): Promise<number> {
    const gateway = this.#gateways.at(-1)
    if (!gateway) throw new Error('no gateway was started')
    return gateway.end()
  }

  /** The link for the first user, as the gateway prints it for the operator. */
  async setupLink(): Promise<string> {
    const link = await this.#gateways.at(-1)?.printed(/http\S+#\S+/)
    const token = link?.split('#')[1]
    if (link === undefined || token === undefined) throw new Error('no set-up link was printed')
    this.keepSecret(token, 'token of the set-up link')
    return link
  }

  keepSecret(secret: string, what: string): void {
    this.#secrets.set(secret, what)
  }

  /**
   * @returns what no log may have, by name, where it stands in what the gateway wrote. Standard output and the log have
   * the set-up link once each, for the operator, and nothing else.
   */
  leaks(): string[] {
    const withoutLink = (text: string) => text.replace(/http[^\s"]+#[^\s"]+/, '')
    const log = this.#gateways.map(({ stderr }) => withoutLink(stderr)).join('')
    const printed = this.#gateways.map(({ stdout }) => withoutLink(stdout)).join('')
    if (log === '') throw new Error('the gateway wrote no log: nothing was checked')
    return [...this.#secrets].filter(([secret]) => (log + printed).includes(secret)).map(([, what]) => what)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#gateways, this.#upstream].map(running => running.end()))
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
