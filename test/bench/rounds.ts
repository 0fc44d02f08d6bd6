import { atLeast, atMost, median, type Row, spread, unmarked } from './report.ts'
import type { Benchmark, Figure, Pace, Sample, Scenario, Side } from './scenario.ts'

let lastRound = 0

export const comparison = (scenario: Scenario): Benchmark => ({
  title: `${scenario.what}, ${scenario.connections} connections`,
  run: pace => compare(scenario, pace),
})

/** Measures both sides in turn, A B A B …, so that what slows the machine down meets both. */
async function compare(scenario: Scenario, { warmUpSeconds, seconds, rounds }: Pace): Promise<Row[]> {
  const { stretch = 1 } = scenario
  const measured: Pair[] = []
  const measure = (side: Side, seconds: number) => {
    lastRound += 1
    return side.measure({ number: lastRound, seconds: seconds * stretch })
  }
  // Measured like the others and thrown away.
  await measure(scenario.baseline, warmUpSeconds)
  await measure(scenario.gateway, warmUpSeconds)
  for (let round = 0; round < rounds; round += 1) {
    const baseline = await measure(scenario.baseline, seconds)
    measured.push({ baseline, gateway: await measure(scenario.gateway, seconds) })
  }
  return scenario.figures.map(figure => toRow(scenario, figure, measured))
}

interface Pair {
  readonly baseline: Sample
  readonly gateway: Sample
}

const rate = (value: number) => `${Math.round(value)}/s`
const ms = (value: number) => `${value.toFixed(2)} ms`

function toRow({ what, connections }: Scenario, figure: Figure, measured: readonly Pair[]): Row {
  const { baseline, gateway, ratios } = medians(measured, figure.kind)
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
        figure: `+${ms(gateway - baseline)}`,
        ...atMost(gateway - baseline, figure.most, 'ms'),
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
  }
}

const measureOf = { throughput: 'perSecond', addedMs: 'medianMs', p99: 'p99Ms' } as const

function medians(measured: readonly Pair[], kind: Figure['kind']) {
  const name = measureOf[kind]
  return {
    baseline: median(measured.map(({ baseline }) => baseline[name])),
    gateway: median(measured.map(({ gateway }) => gateway[name])),
    ratios: measured.map(({ baseline, gateway }) => gateway[name] / baseline[name]),
  }
}
