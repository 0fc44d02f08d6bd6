import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts the time of ended processes in ticks of that length. */
const tickUs = 10_000

/** @returns the processor time of a process, all threads that live; 0 when it has ended meanwhile */
export function cpuUsOf(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const ns = tasks.map(task => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]))
    return ns.reduce((sum, ns) => sum + ns, 0) / 1000
  } catch {
    return 0
  }
}

/** @returns the processor time of a process and of its children, those that have ended too */
export const cpuUsOfTree = (pid: number) =>
  [pid, ...childrenOf(pid)].reduce((sum, pid) => sum + cpuUsOf(pid), cpuUsOfEnded(pid))

/** @returns the children of a process that live */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

/** @returns the processor time of those children of a process that have ended */
function cpuUsOfEnded(pid: number): number {
  // The name, in parentheses, may have spaces. After it, the state is the first field.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * tickUs
}
