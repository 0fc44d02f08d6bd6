import { atLeast, atMost, median, type Row, spread, unmarked } from './report.ts'
import type { Benchmark, Figure, Pace, Sample, Scenario, Side } from './scenario.ts'

let lastRound = 0
/** @returns the number of one more round of this run */
export function nextRound(): number {
  lastRound += 1
  return lastRound
}

export const comparison = (scenario: Scenario): Benchmark => ({
  title: `${scenario.what}, ${scenario.connections} connections`,
  run: pace => compare(scenario, pace),
})

async function compare(scenario: Scenario, pace: Pace): Promise<Row[]> {
  const { what, connections, baselines, gateway, stretch = 1, warmUpSecondsMax = pace.warmUpSeconds } = scenario
  const [gateways = [], ...others] = await measureInTurn(
    [gateway, ...baselines.map(({ side }) => side)],
    { ...pace, warmUpSeconds: Math.min(pace.warmUpSeconds, warmUpSecondsMax) },
    stretch,
  )
  return baselines.flatMap(({ name, figures }, at) => {
    const compared = { what: name === undefined ? what : `${what}, against ${name}`, connections }
    return figures.map(figure => figureRow(compared, figure, others[at] ?? [], gateways))
  })
}

/**
 * Measures all sides in turn, A B A B …, so that what slows the machine down meets all of them.
 * @returns the rounds of each side, without the first, in which it compiles what is hot
 */
export async function measureInTurn(
  sides: readonly Side[],
  { warmUpSeconds, seconds, rounds }: Pace,
  stretch: number,
): Promise<Sample[][]> {
  const measure = (side: Side, seconds: number) => side.measure({ number: nextRound(), seconds: seconds * stretch })
  // Measured like the others and thrown away.
  for (const side of sides) await measure(side, warmUpSeconds)
  const measured = sides.map((): Sample[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, side] of sides.entries()) measured[at]?.push(await measure(side, seconds))
  }
  return measured
}

const rate = (value: number) => `${Math.round(value)}/s`
const ms = (value: number) => `${value.toFixed(2)} ms`
const us = (value: number) => `${value.toFixed(0)} µs`

/** @param baselines rounds of the baseline, and `gateways`, of the gateway, by turns */
export function figureRow(
  { what, connections }: Pick<Scenario, 'what' | 'connections'>,
  figure: Figure,
  baselines: readonly Sample[],
  gateways: readonly Sample[],
): Row {
  const { baseline, gateway, ratios } = medians(baselines, gateways, figure.kind)
  const ratio = gateway / baseline
  const shownRatio = `${ratio.toFixed(2)}${spread(ratios)}`
  switch (figure.kind) {
    case 'throughput':
      return {
        what,
        connections,
        baseline: rate(baseline),
        gateway: rate(gateway),
        figure: shownRatio,
        ...(figure.least === null ? unmarked : atLeast(ratio, figure.least)),
      }
    case 'addedMs':
      return {
        what: `${what}: median latency`,
        connections,
        baseline: ms(baseline),
        gateway: ms(gateway),
        figure: `${gateway < baseline ? '' : '+'}${ms(gateway - baseline)}`,
        ...(figure.most === null ? unmarked : atMost(gateway - baseline, figure.most, 'ms')),
      }
    case 'medianMs':
      return {
        what: `${what}: median`,
        connections,
        baseline: ms(baseline),
        gateway: ms(gateway),
        figure: ms(gateway),
        ...atMost(gateway, figure.most, 'ms'),
      }
    case 'p99':
      return {
        what: `${what}: 99th percentile`,
        connections,
        baseline: ms(baseline),
        gateway: ms(gateway),
        figure: shownRatio,
        ...atMost(ratio, figure.most),
      }
    case 'cpu':
      return {
        what: `${what}: processor time`,
        connections,
        baseline: us(baseline),
        gateway: us(gateway),
        figure: shownRatio,
        ...unmarked,
      }
  }
}

const measureOf = {
  throughput: 'perSecond',
  addedMs: 'medianMs',
  medianMs: 'medianMs',
  p99: 'p99Ms',
  cpu: 'cpuUs',
} as const

function medians(baselines: readonly Sample[], gateways: readonly Sample[], kind: Figure['kind']) {
  const name = measureOf[kind]
  const measured = (sample: Sample | undefined) => sample?.[name] ?? Number.NaN
  return {
    baseline: median(baselines.map(measured)),
    gateway: median(gateways.map(measured)),
    ratios: gateways.map((sample, at) => measured(sample) / measured(baselines[at])),
  }
}
