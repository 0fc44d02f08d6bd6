import { until } from '../processes.ts'
import { sendOnce } from './caller.ts'
import { startCountingPlatform } from './countingPlatform.ts'
import type { Figures } from './figures.ts'
import type { Opened } from './peer.ts'
import { hereOf, leftOut, type OpenedPeer, programsOf, type Run, shownMemory } from './profile.ts'

const perSecond = 500
/** Ours has room for so many on a line, by default. */
const backlog = 10_000
const backlogQuick = 500
const callers = 64
/** Not the first and not the last: what is in between leaves at the pace. */
const [from, to] = [0.1, 0.9]
/** Longer than the pace takes, by far. */
const slackMs = 60_000
/** How often the platform is asked how far it is: what is measured goes on beside it. */
const lookMs = 100

/** One line with a pace, and far more waiting than it takes in a second. No caller waits. */
export async function* backlogFigures(run: Run): AsyncIterable<Figures> {
  const sends = run.isQuick ? backlogQuick : backlog
  const rows: string[][] = []
  const all: Pick<OpenedPeer, 'peer' | 'opened'>[] = []
  for (const peer of hereOf(run)) {
    console.error(`a backlog of ${peer.name} …`)
    const platform = await startCountingPlatform(run.fleet, 0)
    const opened = await peer.open({ name: 'backlog', upstreamUrl: platform.url, perSecond, waitMs: 0 })
    all.push({ peer, opened })
    const began = performance.now()
    await fill(opened, sends)
    const acceptedPerSecond = (sends * 1_000) / (performance.now() - began)
    const memory = shownMemory(opened.memory())
    const [cpuBefore, leftBefore] = [opened.cpuUs(), await platform.count()]
    const isDone = async () => {
      await Bun.sleep(lookMs)
      return (await platform.count()) >= sends ? true : null
    }
    await until('the end of the backlog', isDone, (sends * 1_000) / perSecond + slackMs)
    const { times } = await platform.taken()
    const cpuUs = (opened.cpuUs() - cpuBefore) / (sends - leftBefore)
    rows.push([
      peer.name,
      Math.round(acceptedPerSecond).toLocaleString('en-US'),
      paceOf(times).toFixed(0),
      String(mostInASecond(times)),
      cpuUs.toFixed(0),
      memory,
    ])
  }
  yield {
    title: 'A paced line with a long backlog',
    how: [
      `${sends.toLocaleString('en-US')} sends from ${callers} callers, who do not wait for the outcome; the line's pace is ${perSecond} a second`,
      ...programsOf(all),
    ],
    headings: [
      'gateway',
      'accepted a second',
      'left a second',
      'most in one second',
      'processor time a send that leaves, µs',
      'memory with the backlog, MB',
    ],
    rows,
    notes: leftOut(run),
  }
}

async function fill(opened: Opened, sends: number): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < sends) {
      const status = await sendOnce(opened, next++)
      if (status === null) throw new Error('a send to a paced line was not accepted')
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

function paceOf(times: readonly number[]): number {
  const [first, last] = [Math.floor(times.length * from), Math.floor(times.length * to)]
  return ((last - first) * 1_000) / ((times[last] ?? Number.NaN) - (times[first] ?? Number.NaN))
}

/** @returns how many left in the fullest second, wherever it begins */
function mostInASecond(times: readonly number[]): number {
  let begin = 0
  let most = 0
  for (const [at, time] of times.entries()) {
    while ((times[begin] ?? time) <= time - 1_000) begin += 1
    most = Math.max(most, at - begin + 1)
  }
  return most
}
