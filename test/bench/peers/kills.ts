import { numberOf, sendOnce } from './caller.ts'
import { type CountingPlatform, startCountingPlatform } from './countingPlatform.ts'
import type { Figures } from './figures.ts'
import type { Opened } from './peer.ts'
import { hereOf, leftOut, type OpenedPeer, programsOf, type Run, usualWaitMs } from './profile.ts'

const callers = 64
/** So that at any time most callers have a message under way. */
const delayMs = 20
/** Between the start and the kill. */
const [loadMsUsual, loadMsQuick] = [1_500, 500]
/** A caller asks again, with its key, after so long. */
const againMs = 100
/** A caller gives up: far longer than any gateway takes to notice what a kill left behind. */
const patienceMs = 60_000
/** What is still sent after the last answer is sent by then. */
const [lateMsUsual, lateMsQuick] = [2_000, 500]
const killsUsual = 5

interface Pace {
  readonly kills: number
  readonly loadMs: number
  readonly lateMs: number
}

interface Outcome {
  readonly sends: number
  readonly lost: number
  readonly doubled: number
  readonly unknown: number
  readonly unknownTaken: number
}

/** Kills under load: callers repeat with their keys until they know, and the platform has counted. */
export async function* killFigures(run: Run): AsyncIterable<Figures> {
  const pace = run.isQuick
    ? { kills: 1, loadMs: loadMsQuick, lateMs: lateMsQuick }
    : { kills: killsUsual, loadMs: loadMsUsual, lateMs: lateMsUsual }
  const rows: string[][] = []
  const all: Pick<OpenedPeer, 'peer' | 'opened'>[] = []
  for (const peer of hereOf(run)) {
    console.error(`kills of ${peer.name} …`)
    const platform = await startCountingPlatform(run.fleet, delayMs)
    const opened = await peer.open({ name: 'kills', upstreamUrl: platform.url, perSecond: null, waitMs: usualWaitMs })
    all.push({ peer, opened })
    const { sends, lost, doubled, unknown, unknownTaken } = await killed(opened, platform, pace)
    rows.push([peer.name, ...[sends, lost, doubled, unknown, unknownTaken].map(count => count.toLocaleString('en-US'))])
  }
  yield {
    title: 'Kills under load',
    how: [
      `${pace.kills} kills with SIGKILL, one each ${pace.loadMs / 1000} s, under ${callers} callers, a platform of ${delayMs} ms; the servers go on`,
      ...programsOf(all),
    ],
    headings: ['gateway', 'sends', 'lost', 'doubled', 'told `UNKNOWN`', 'of them taken'],
    rows,
    notes: leftOut(run),
  }
}

async function killed(opened: Opened, platform: CountingPlatform, { kills, loadMs, lateMs }: Pace): Promise<Outcome> {
  const told: Promise<string | null>[] = []
  let isOver = false
  const caller = async () => {
    while (!isOver) {
      const knows = sendUntilKnown(opened, told.length)
      told.push(knows)
      await knows
    }
  }
  const calling = Array.from({ length: callers }, caller)
  for (let kill = 0; kill < kills; kill += 1) {
    await Bun.sleep(loadMs)
    await opened.killAndStart()
  }
  await Bun.sleep(loadMs)
  isOver = true
  await Promise.all(calling)
  await Bun.sleep(lateMs)
  const { to } = await platform.taken()
  const ends = (await Promise.all(told)).map((status, send) => ({ status, taken: to[numberOf(send)] ?? 0 }))
  const unknown = ends.filter(({ status }) => status === 'UNKNOWN')
  return {
    sends: ends.length,
    // Told that it was sent, or never told anything, and it never arrived.
    lost: ends.filter(({ status, taken }) => taken === 0 && (status === 'SENT' || status === null)).length,
    doubled: ends.filter(({ taken }) => taken > 1).length,
    unknown: unknown.length,
    unknownTaken: unknown.filter(({ taken }) => taken > 0).length,
  }
}

/** @returns the status that a caller ends up with; null when it gave up */
async function sendUntilKnown(opened: Opened, send: number): Promise<string | null> {
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    const status = await sendOnce(opened, send)
    if (status !== null && status !== 'QUEUED') return status
    await Bun.sleep(againMs)
  }
  return null
}
