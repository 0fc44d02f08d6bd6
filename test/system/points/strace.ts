import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../eventually.ts'
import { linuxX64, type Need } from '../../programs.ts'

/** What the nth call meets. It never reaches the system: a kill comes before it, an error stands in its place. */
const injections = {
  kill: 'signal=KILL',
  ENOSPC: 'error=ENOSPC',
  EIO: 'error=EIO',
  ECONNRESET: 'error=ECONNRESET',
} as const

export type Fault = keyof typeof injections
export const faultNames = Object.keys(injections) as readonly Fault[]

/** Files, and the names of files. */
const ofFiles: readonly Fault[] = ['kill', 'ENOSPC', 'EIO']
const ofNames: readonly Fault[] = ['kill', 'EIO']
const ofSockets: readonly Fault[] = ['kill', 'ECONNRESET']

/** The calls of the system that are counted, and what may become of each. */
export const faultsOf = {
  fsync: ofFiles,
  fdatasync: ofFiles,
  pwrite64: ofFiles,
  ftruncate: ofFiles,
  /** Logs, and what wakes threads of the same process, which does not fail: only the moment of the call is tried. */
  write: ['kill'],
  writev: ['kill'],
  rename: ofNames,
  link: ofNames,
  unlink: ofNames,
  connect: ofSockets,
  sendto: ofSockets,
  recvfrom: ofSockets,
} as const satisfies Record<string, readonly Fault[]>

export type Call = keyof typeof faultsOf
export const calls = Object.keys(faultsOf) as readonly Call[]

/** One place at which a program is hit: its nth call of this name. */
export interface Point {
  readonly call: Call
  readonly fault: Fault
  readonly n: number
  /** Counted is what is done to these files alone. */
  readonly files?: readonly string[]
}

const optionsOf = ({ call, fault, n, files = [] }: Point) => {
  const inject = `inject=${call}:${injections[fault]}:when=${n}`
  return ['-e', `trace=${call}`, '-e', 'signal=none', '-e', inject, ...files.flatMap(file => ['-P', file])]
}

/** Ends what never comes: a traced program is several times as slow, on a machine that is busy too. */
export const neverMs = 120_000

/** Whether strace is here and may trace what it has not started: a container may forbid it, and so may the kernel. */
export const tracing: Need = ['a strace that may trace other processes', await canTrace()]

async function canTrace(): Promise<boolean> {
  // Other processors have no `rename`, `link` and `unlink`.
  if (!linuxX64[1] || Bun.which('strace') === null) return false
  const ignored = { stdin: 'ignore', stdout: 'ignore' } as const
  const sleeper = Bun.spawn(['sleep', '600'], { ...ignored, stderr: 'ignore' })
  const command = ['strace', '-o', '/dev/null', '-e', 'trace=fsync', '-p', String(sleeper.pid)]
  const tracer = Bun.spawn(command, { ...ignored, stderr: 'pipe' })
  try {
    return hasBegun(await firstLine(tracer.stderr))
  } finally {
    // Who traces a process ends with it.
    sleeper.kill('SIGKILL')
    await Promise.all([sleeper.exited, tracer.exited])
  }
}

/** What hits a process at one point. */
export interface Trace {
  /** Ends it, so that what follows is hit by nothing. @returns whether this process has reached the point */
  end(pid: number): Promise<boolean>
  /** The command before that of a program that is hit from its start, whose process keeps its id. */
  readonly wrapper: readonly string[]
}

/** A call that a kill came before has no result. */
const wasKilled = (log: string) => / = \?$/m.test(log)
const wasReached = (log: string) => log.includes('(INJECTED)') || wasKilled(log)

/** Threads of a gateway with one sender, in the order of their start. The notifier is there once an event was. */
export type Thread = 'main' | 'writer' | 'sender' | 'notifier'
const workers: readonly Thread[] = ['writer', 'sender', 'notifier']

/** @returns the id of a thread, as soon as it is there */
function threadOf(pid: number, thread: Thread): Promise<number> {
  if (thread === 'main') return Promise.resolve(pid)
  const nameOf = (id: string) => readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim()
  return eventually(() => {
    const ids = readdirSync(`/proc/${pid}/task`).filter(id => nameOf(id) === 'Worker')
    const started = ids.map(id => ({ id: Number(id), at: startOf(pid, id) }))
    // Within one tick they are told apart by their ids, which begin anew after the last one there is.
    const inOrder = started.toSorted((one, other) => one.at - other.at || one.id - other.id)
    const found = inOrder[workers.indexOf(thread)]
    if (found === undefined) throw new Error(`there is no ${thread} yet`)
    return found.id
  }, neverMs)
}

/** @returns when a thread was started, in ticks since the start of the machine: the 22nd field of what Linux says of it */
function startOf(pid: number, id: string): number {
  const text = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')
  // The name is the second field, within brackets.
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19])
}

/** Counts the calls of one thread of a gateway from now on. */
export async function hit(pid: number, thread: Thread, point: Point): Promise<Trace> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-strace-'))
  const log = join(folder, 'log')
  const command = ['strace', '-o', log, ...optionsOf(point), '-p', String(await threadOf(pid, thread))]
  const tracer = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const first = await firstLine(tracer.stderr)
  if (!hasBegun(first)) throw new Error(`strace traces nothing: ${first}`)
  return {
    wrapper: [],
    async end() {
      tracer.kill('SIGINT')
      await tracer.exited
      const reached = wasReached(readFileSync(log, 'utf8'))
      rmSync(folder, { recursive: true })
      return reached
    },
  }
}

function hasBegun(said: string): boolean {
  return said.includes('attached')
}

/** @returns what strace says once it has begun, or why it does not */
async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  return new TextDecoder().decode(value)
}

/**
 * Counts the calls of a program from its start. Each of its threads has a count of its own, and an error meets the nth
 * call of each; a kill comes with the first that gets there.
 */
export function hitFromStart(point: Point): Trace {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-strace-'))
  const log = join(folder, 'log')
  // Then a program stops at the calls that are counted alone. But no signal comes before one.
  const faster = point.fault === 'kill' ? [] : ['--seccomp-bpf']
  return {
    wrapper: ['strace', '-D', '-f', ...faster, '-q', '-o', log, ...optionsOf(point)],
    async end(pid) {
      // What has ended is told of a moment later.
      const text = await eventually(() => {
        const said = existsSync(log) ? readFileSync(log, 'utf8') : ''
        const isOver = wasKilled(said) || new RegExp(`^${pid} +\\+{3} `, 'm').test(said)
        if (!(isOver || existsSync(`/proc/${pid}/fd/0`))) throw new Error(`strace has not seen the end: ${said}`)
        return said
      }, neverMs)
      rmSync(folder, { recursive: true })
      return wasReached(text)
    },
  }
}
