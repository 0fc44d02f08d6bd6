import { type Load, under } from '../load.ts'
import { measureInTurn, nextRound } from '../rounds.ts'
import type { Sample, Side } from '../scenario.ts'
import { upstreamDelayMs, watchSends } from '../sends.ts'
import { freshSends, keyed } from '../traffic.ts'
import { type Figures, isToldApart, quarters, ratios, shown, shownRatio } from './figures.ts'
import type { Opened } from './peer.ts'
import { leftOut, type OpenedPeer, openAll, programsOf, type Run, shownMemory } from './profile.ts'

/** After so many, nothing is compiled anew: the first thousands cost half as much again. */
const warmSends = 20_000
export const warmConnections = 64
const warmSeconds = 2
export const roundSeconds = 1
/** The platform answers in waves, one each delay: a round has enough of them that one more or less makes no difference. */
const patientStretch = 3
const patientConnections = 1_500

interface Loaded extends OpenedPeer {
  readonly name: string
  side(connections: number): Side
}

/** Sends with a key, from one, some and many connections, to a platform that answers at once. */
export async function* connectionFigures(run: Run): AsyncIterable<Figures> {
  const loaded = await load(run, 'connections', 0, warmConnections)
  // Alone comes last: it is measured on what is compiled.
  for (const connections of run.isQuick ? [64] : [64, 256, 1]) {
    const title = `Sends from ${connections} connection${connections === 1 ? '' : 's'}`
    yield await compare(run, title, loaded, connections)
  }
}

/** The same from very many, to a platform that takes its time. */
export async function* patientFigures(run: Run): AsyncIterable<Figures> {
  const loaded = await load(run, 'patient', upstreamDelayMs, patientConnections, patientStretch)
  const title = `A platform of ${upstreamDelayMs} ms`
  yield await compare(run, title, loaded, patientConnections, patientStretch)
}

async function load(run: Run, name: string, delayMs: number, connections: number, stretch = 1): Promise<Loaded[]> {
  const all = await openAll(run, name, delayMs)
  const loaded = all.map(each => {
    const { peer, opened } = each
    const traffic = (round: number) => freshSends(keyed, opened.key, round)
    return { ...each, name: peer.name, side: sending(run, each, peer.name, traffic) }
  })
  for (const { name, side } of loaded) await warm(run, name, side(connections), stretch)
  return loaded
}

/** @returns the gateway under sends of this kind, whose answers are believed as far as its database and the platform agree */
export const sending =
  ({ folder }: Run, { opened, upstreamUrl }: OpenedPeer, what: string, traffic: Load['traffic']) =>
  (connections: number): Side =>
    under(
      { what, connections, traffic, answers: 'success', folder },
      {
        url: opened.url,
        cpuUs: opened.cpuUs,
        watch: watchSends(opened.countSent, upstreamUrl, connections),
      },
    )

export async function warm({ isQuick }: Run, name: string, side: Side, stretch = 1): Promise<void> {
  console.error(`warming up ${name} …`)
  if (isQuick) return
  const seconds = warmSeconds * stretch
  for (let sent = 0; sent < warmSends; ) {
    const { perSecond } = await side.measure({ number: nextRound(), seconds })
    sent += perSecond * seconds
  }
}

async function compare(
  run: Run,
  title: string,
  loaded: readonly Loaded[],
  connections: number,
  stretch = 1,
): Promise<Figures> {
  console.error(`${title} …`)
  const pace = { warmUpSeconds: roundSeconds, seconds: roundSeconds, rounds: run.rounds }
  const samples = await measureInTurn(
    loaded.map(({ side }) => side(connections)),
    pace,
    stretch,
  )
  const measured = loaded.map((each, at) => ({ ...each, samples: samples[at] ?? [], memory: each.opened.memory() }))
  const ours = measured.filter(({ peer }) => peer.isOurs)
  const theirs = measured.filter(({ peer }) => !peer.isOurs)
  return {
    title,
    how: [
      `${connections} connections, ${run.rounds} rounds of ${roundSeconds * stretch} s of each gateway in turn`,
      ...programsOf(loaded),
    ],
    headings: [...loadHeadings, ...ours.map(({ name }) => `sends of ${name} against it`)],
    rows: measured.map(each => [
      ...loadCells(each.name, each.samples),
      shownMemory(each.memory),
      ...ours.map(our => (each.peer.isOurs ? '' : shownRatio(ratioOf(our.samples, each.samples, 'perSecond')))),
    ]),
    notes: [...theirs.flatMap(their => ours.flatMap(our => behind(our, their))), ...leftOut(run)],
  }
}

export const loadHeadings = [
  'gateway',
  'sends a second',
  'median, ms',
  'p99, ms',
  'processor time a send, µs',
  'memory, MB',
] as const

export const loadCells = (name: string, samples: readonly Sample[]): string[] => [
  name,
  shown(quarters(samples.map(({ perSecond }) => perSecond)), 0),
  shown(quarters(samples.map(({ medianMs }) => medianMs)), 2),
  shown(quarters(samples.map(({ p99Ms }) => p99Ms)), 1),
  shown(quarters(samples.map(cpuOf)), 0),
]

const cpuOf = ({ cpuUs = Number.NaN }: Sample) => cpuUs

export const ratioOf = (ours: readonly Sample[], theirs: readonly Sample[], of: 'perSecond' | 'cpuUs') =>
  ratios(
    ours.map(sample => sample[of] ?? Number.NaN),
    theirs.map(sample => sample[of] ?? Number.NaN),
  )

type Measured = Pick<Loaded, 'name' | 'opened'> & { readonly samples: readonly Sample[] }

/** @returns where we are behind another one, in a sentence; nothing when we are not */
function behind(our: Measured, their: Measured): string[] {
  const sends = ratioOf(our.samples, their.samples, 'perSecond')
  const cpu = ratioOf(our.samples, their.samples, 'cpuUs')
  const [mine, its] = [our, their].map(({ opened }) => sumOf(opened))
  const memory = (mine ?? Number.NaN) / (its ?? Number.NaN)
  const parts = [
    ...(sends.median < 1 && isToldApart(sends) ? [`${sends.median.toFixed(2)} of its sends`] : []),
    ...(cpu.median > 1 && isToldApart(cpu) ? [`${cpu.median.toFixed(2)} of its processor time`] : []),
    ...(memory > 1 ? [`${memory.toFixed(2)} of its memory`] : []),
  ]
  return parts.length === 0 ? [] : [`**Behind** ${their.name}: ${our.name} has ${parts.join(', ')}.`]
}

function sumOf(opened: Opened): number {
  const { gatewayMb, serversMb } = opened.memory()
  return (gatewayMb ?? Number.NaN) + (serversMb ?? Number.NaN)
}
