import { join } from 'node:path'

export type Child = Bun.Subprocess<'ignore', 'pipe', 'inherit'>

/** What a service of the bench tells on its first line. */
export interface Announcement {
  readonly url: string
  /** The same over TLS, where the service was given a certificate. */
  readonly tlsUrl?: string
}

/** Tells the process that started this one where it listens. */
export const announce = (announcement: Announcement) => console.log(JSON.stringify(announcement))

type Environment = Readonly<Record<string, string>>

const readyMsMax = 15_000
const stopMsMax = 30_000
/** A start is measured with it: far below what a start takes, and it leaves the cores to the one that starts. */
const pollMs = 4

/** The processes of a run. All of them end with it, by their ids, whatever its end. */
export class Fleet {
  readonly #ends: (() => Promise<unknown>)[] = []

  /** Starts one of the services beside this file and waits until it tells its address. */
  async service(file: string, args: readonly string[] = [], env: Environment = {}): Promise<Announcement> {
    const child = this.start([process.execPath, join(import.meta.dir, file), ...args], env)
    return JSON.parse(await firstLine(child)) as Announcement
  }

  /** @param env everything that the process gets to see, beside PATH */
  start(command: readonly string[], env: Environment): Child {
    const child = Bun.spawn([...command], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    this.#ends.push(() => stop(child))
    return child
  }

  /** For what is started in another way. */
  defer(end: () => Promise<unknown>): void {
    this.#ends.push(end)
  }

  get size(): number {
    return this.#ends.length
  }

  /**
   * Stops what was started last, until so many are left. The last one first: a gateway finishes what is in flight while
   * its upstream still answers.
   */
  async stopDownTo(size: number): Promise<void> {
    for (const end of this.#ends.splice(size).toReversed()) await end()
  }
}

/** Ends a process the way it likes. @returns its exit code */
async function stop(child: Child): Promise<number> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
  const code = await child.exited
  clearTimeout(timer)
  return code
}

/** How a process is ended. */
export const ends = ['clean stop', 'SIGKILL'] as const
export type End = (typeof ends)[number]

/** @throws Error when it was asked to stop and did not end in order */
export async function end(child: Child, how: End): Promise<void> {
  if (how === 'SIGKILL') child.kill('SIGKILL')
  const code = await (how === 'SIGKILL' ? child.exited : stop(child))
  if (how === 'clean stop' && code !== 0) throw new Error(`a process that was asked to stop ended with ${code}`)
}

async function firstLine({ stdout, exited }: Child): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true })
    const [line, rest] = text.split('\n', 2)
    if (line !== undefined && rest !== undefined) return line
  }
  throw new Error(`a service of the bench ended with ${await exited} before it was ready`)
}

/** Commands that have not ended yet. */
const running = new Set<Bun.Subprocess>()

/** Ends them: wrk would go on for as long as it was told to. */
export function stopCommands(): void {
  for (const child of running) child.kill('SIGKILL')
}

/**
 * Runs a command to its end.
 * @param folder where it runs
 * @throws Error with what it said when it fails
 */
export async function run(command: readonly string[], env: Environment, folder?: string): Promise<string> {
  const child = Bun.spawn([...command], {
    ...(folder !== undefined && { cwd: folder }),
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  running.delete(child)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err || out}`)
  return out
}

/** @returns what `probe` gives once it gives something. @throws Error after some seconds without it */
export async function until<Value>(
  what: string,
  probe: () => Promise<Value | null> | Value | null,
  msMax = readyMsMax,
): Promise<Value> {
  const deadline = Date.now() + msMax
  for (;;) {
    const value = await probe()
    if (value !== null) return value
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${msMax} ms`)
    await Bun.sleep(pollMs)
  }
}
