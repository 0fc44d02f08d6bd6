import { join } from 'node:path'

type Child = Bun.Subprocess<'ignore', 'pipe', 'inherit'>

/** What a service of the bench tells on its first line. */
export interface Announcement {
  readonly url: string
}

/** Tells the process that started this one where it listens. */
export const announce = (announcement: Announcement) => console.log(JSON.stringify(announcement))

const readyMsMax = 15_000
const stopMsMax = 15_000
const pollMs = 20

/** The processes of a run. All of them end with it, by their ids, whatever its end. */
export class Fleet {
  readonly #children: Child[] = []

  /** Starts one of the services beside this file and waits until it tells its address. */
  async service(file: string, ...args: readonly string[]): Promise<string> {
    const child = this.start([process.execPath, join(import.meta.dir, file), ...args], {})
    const { url } = JSON.parse(await firstLine(child)) as Announcement
    return url
  }

  /** @param env everything that the process gets to see, beside PATH */
  start(command: readonly string[], env: Readonly<Record<string, string>>): Child {
    const child = Bun.spawn([...command], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    this.#children.push(child)
    return child
  }

  /** The last one first: a gateway finishes what is in flight while its upstream still answers. */
  async stopAll(): Promise<void> {
    for (const child of this.#children.toReversed()) await stop(child)
  }
}

async function stop(child: Child): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
  await child.exited
  clearTimeout(timer)
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

/** Runs a command to its end. @throws Error with what it said when it fails */
export async function run(command: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = Bun.spawn([...command], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err || out}`)
  return out
}

/** @returns what `probe` gives once it gives something. @throws Error after some seconds without it */
export async function until<Value>(what: string, probe: () => Promise<Value | null> | Value | null): Promise<Value> {
  const deadline = Date.now() + readyMsMax
  for (;;) {
    const value = await probe()
    if (value !== null) return value
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${readyMsMax} ms`)
    await Bun.sleep(pollMs)
  }
}
