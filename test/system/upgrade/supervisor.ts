import { copyFileSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../executable.ts'
import { library, program } from '../../programs.ts'
import { type Environment, type Serving, serve } from '../rig/serving.ts'

/** The times of one swap, of the machine's steady clock. */
export interface Swap {
  readonly askedMs: number
  readonly endedMs: number
  readonly readyMs: number
  readonly code: number
}

/**
 * Runs an installed executable as systemd does with `Restart=always`: an end of the process, whatever its reason,
 * starts the one that is installed now. `upgrade` puts another file in its place, as a package manager does, and
 * restarts.
 */
export class Supervisor {
  readonly #folder: string
  readonly #installed: string
  readonly #env: Environment
  readonly #ready: NotifySocket
  readonly starts: Serving[] = []
  #serving: Serving | undefined

  private constructor(folder: string, env: Environment, ready: NotifySocket) {
    this.#folder = folder
    this.#installed = join(folder, 'waypost')
    this.#env = { ...env, ...ready.env }
    this.#ready = ready
  }

  static async start(folder: string, env: Environment): Promise<Supervisor> {
    mkdirSync(folder)
    // Two files with the same bytes: an upgrade is seen by the number of the file that runs.
    for (const name of ['one', 'two']) copyFileSync(binary, join(folder, name))
    const supervisor = new Supervisor(folder, env, await openNotifySocket(join(folder, 'notify.sock')))
    supervisor.#install('one')
    await supervisor.#start()
    return supervisor
  }

  /** @returns once the other executable serves */
  async upgrade(): Promise<Swap> {
    const former = this.#running()
    const next = this.starts.length % 2 === 0 ? 'one' : 'two'
    this.#install(next)
    const askedMs = performance.now()
    const code = await former.end('SIGTERM')
    const endedMs = performance.now()
    await this.#start()
    const readyMs = performance.now()
    const file = statSync(join(this.#folder, next)).ino
    if (statSync(`/proc/${this.#running().pid}/exe`).ino !== file) throw new Error('the former executable runs still')
    return { askedMs, endedMs, readyMs, code }
  }

  stop(): Promise<number> {
    return this.#running().end('SIGTERM')
  }

  async kill(): Promise<void> {
    this.#ready.close()
    await this.#serving?.end('SIGKILL')
  }

  /** In one step, so that there is an executable at every moment. */
  #install(name: string): void {
    const draft = `${this.#installed}.new`
    linkSync(join(this.#folder, name), draft)
    renameSync(draft, this.#installed)
  }

  async #start(): Promise<void> {
    const serving = serve({ env: this.#env, program: [this.#installed, 'serve'] })
    this.#serving = serving
    this.starts.push(serving)
    if ((await serving.ready) === null) throw new Error(`the gateway did not start: ${serving.stderr()}`)
    await this.#ready.next()
  }

  #running(): Serving {
    if (!this.#serving) throw new Error('nothing runs')
    return this.#serving
  }
}

/** Where the gateway says that it is ready, as it says it to systemd. */
interface NotifySocket {
  readonly env: Environment
  /** Resolves with the next start that is told. */
  next(): Promise<void>
  close(): void
}

/** More than any run has starts. */
const notificationsMax = 1_000

/** The runtime has no datagram sockets of the file system; Python has. Where it is missing, the log has to do. */
async function openNotifySocket(path: string): Promise<NotifySocket> {
  if (![program('python3'), library('libsystemd.so.0', 'sd_notify')].every(([, isThere]) => isThere)) {
    return { env: {}, next: async () => {}, close: () => {} }
  }
  const script = join(import.meta.dir, '../packaging/notifySocket.py')
  const child = Bun.spawn(['python3', script, path, String(notificationsMax)], { stdout: 'pipe', stderr: 'ignore' })
  const lines = linesOf(child.stdout)
  /** What it is told besides, such as its status, is passed over. */
  const awaitLine = async (expected: string) => {
    let next = await lines.next()
    while (!next.done && next.value !== expected) next = await lines.next()
    if (next.done) throw new Error(`systemd was never told: ${expected}`)
  }
  await awaitLine('listening')
  return { env: { NOTIFY_SOCKET: path }, next: () => awaitLine('READY=1'), close: () => child.kill('SIGKILL') }
}

/** What a process prints, line by line: one line may come in several pieces. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
