import type { Bench } from './bench.ts'
import { type End, ends } from './processes.ts'
import { atMost, grouped, median, type Row, spread } from './report.ts'
import type { Benchmark } from './scenario.ts'

const readySecondsMax = 0.5

/** From the start of the process to the first /readyz that says 200, on very many messages. */
export async function startBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const { messagesStored, starts } = bench.options.sizes
  const stored = await bench.storedMessages(messagesStored)
  return [
    {
      title: `starts, ${grouped(messagesStored)} messages stored`,
      async run() {
        const measured: Record<End, number[]> = { 'clean stop': [], SIGKILL: [] }
        // Whoever had the file last ended in order.
        let before: End = 'clean stop'
        for (let start = 0; start < starts * ends.length; start += 1) {
          const gateway = await bench.serve(stored)
          measured[before].push(gateway.readyMs / 1000)
          before = before === 'clean stop' ? 'SIGKILL' : 'clean stop'
          await gateway.end(before)
        }
        return ends.map(end => toRow(`ready after ${end}, ${grouped(messagesStored)} messages stored`, measured[end]))
      },
    },
  ]
}

function toRow(what: string, seconds: readonly number[]): Row {
  const typical = median(seconds)
  return {
    what,
    connections: null,
    baseline: '',
    gateway: `${typical.toFixed(2)} s${spread(seconds)}`,
    figure: '',
    ...atMost(typical, readySecondsMax, 's'),
  }
}
