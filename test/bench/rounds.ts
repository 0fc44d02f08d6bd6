import { median, type Row } from './report.ts'
import type { Scenario, Side } from './scenario.ts'
import { drive, type Sample } from './wrk.ts'

interface Pace {
  readonly seconds: number
  readonly rounds: number
  readonly folder: string
}

/** Counts rounds over the whole run, so that no two of them send the same messages. */
let lastRound = 0

/** Measures both sides in turn, A B A B …, so that what slows the machine down meets both. */
export async function compare(scenario: Scenario, { seconds, rounds, folder }: Pace): Promise<Row[]> {
  const measured: Record<'baseline' | 'gateway', Sample[]> = { baseline: [], gateway: [] }
  async function measure(side: Side): Promise<Sample> {
    lastRound += 1
    const { connections } = scenario
    const traffic = scenario.traffic(lastRound)
    const check = await side.watch?.()
    const sample = await drive({ url: side.url, traffic, connections, seconds, folder })
    assertAnswers(scenario, sample)
    await check?.(sample)
    return sample
  }
  for (let round = 0; round < rounds; round += 1) {
    measured.baseline.push(await measure(scenario.baseline))
    measured.gateway.push(await measure(scenario.gateway))
  }
  return toRows(scenario, measured.baseline, measured.gateway)
}

/** A fast wrong answer must not look good. */
function assertAnswers({ what, answers }: Scenario, { completed, refused, broken }: Sample) {
  if (completed === 0) throw new Error(`${what}: no answer at all`)
  if (broken > 0) throw new Error(`${what}: ${broken} connections broke or timed out`)
  if (answers === 'success' && refused > 0) throw new Error(`${what}: ${refused} of ${completed} were refused`)
  // A window of the rate limit may begin during a round, and lets one request through.
  if (answers === 'refusal' && refused < completed - 1) {
    throw new Error(`${what}: ${completed - refused} of ${completed} were not refused`)
  }
}

const perSecond = (samples: readonly Sample[]) => median(samples.map(sample => sample.perSecond))
const medianMs = (samples: readonly Sample[]) => median(samples.map(sample => sample.medianMs))
const rate = (value: number) => `${Math.round(value)}/s`
const ms = (value: number) => `${value.toFixed(2)} ms`

/** The least and the most that a pair of rounds made of it: wide apart, when the machine was not quiet. */
function spread(baseline: readonly Sample[], gateway: readonly Sample[]): string {
  if (baseline.length < 2) return ''
  const ratios = gateway.map(({ perSecond }, at) => perSecond / (baseline[at]?.perSecond ?? Number.NaN))
  return ` (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
}

function toRows(
  { what, connections, marks }: Scenario,
  baseline: readonly Sample[],
  gateway: readonly Sample[],
): Row[] {
  const { least, goal, addedMsMax } = marks
  const ratio = perSecond(gateway) / perSecond(baseline)
  const rows: Row[] = [
    {
      what,
      connections,
      baseline: rate(perSecond(baseline)),
      gateway: rate(perSecond(gateway)),
      figure: `${ratio.toFixed(2)}${spread(baseline, gateway)}`,
      mark: [least !== undefined && `≥ ${least}`, goal !== undefined && `later ≥ ${goal}`].filter(Boolean).join(', '),
      verdict: least === undefined ? '' : ratio >= least ? 'pass' : 'miss',
    },
  ]
  if (addedMsMax !== undefined) {
    const added = medianMs(gateway) - medianMs(baseline)
    rows.push({
      what: `${what}: median latency`,
      connections,
      baseline: ms(medianMs(baseline)),
      gateway: ms(medianMs(gateway)),
      figure: `+${ms(added)}`,
      mark: `≤ ${addedMsMax} ms`,
      verdict: added <= addedMsMax ? 'pass' : 'miss',
    })
  }
  return rows
}
