import { cpuUsOf } from './cpu.ts'
import { median, type Row, spread, unmarked } from './report.ts'
import type { BenchServer } from './server.ts'

/** What one send took of everything, in one round. */
export interface Cost {
  readonly gatewayCpuUs: number
  /** The rest is 0 where there is no server. */
  readonly serverCpuUs: number
  readonly statements: number
  readonly transactions: number
  readonly walBytes: number
}

const noWork = { cpuUs: 0, statements: 0, transactions: 0, walBytes: 0 }

/** @returns what to call at the end of a round, with its sends */
export async function watchCost(
  pids: readonly number[],
  server: BenchServer | null,
): Promise<(sends: number) => Promise<Cost>> {
  const look = async () => ({
    gatewayCpuUs: pids.reduce((sum, pid) => sum + cpuUsOf(pid), 0),
    work: (await server?.work()) ?? noWork,
  })
  const before = await look()
  return async sends => {
    const { gatewayCpuUs, work } = await look()
    const each = (name: keyof typeof noWork) => (work[name] - before.work[name]) / sends
    return {
      gatewayCpuUs: (gatewayCpuUs - before.gatewayCpuUs) / sends,
      serverCpuUs: each('cpuUs'),
      statements: each('statements'),
      transactions: each('transactions'),
      walBytes: each('walBytes'),
    }
  }
}

const costs = [
  { name: 'gatewayCpuUs', what: 'processor time of the gateways', unit: ' µs', digits: 0 },
  { name: 'serverCpuUs', what: 'processor time of the server', unit: ' µs', digits: 0 },
  { name: 'statements', what: 'statements', unit: '', digits: 2 },
  { name: 'transactions', what: 'transactions of several statements', unit: '', digits: 2 },
  { name: 'walBytes', what: 'write-ahead log', unit: ' bytes', digits: 0 },
] as const

/** @returns a row for each part. Only the processor time of the gateways has a baseline. */
export function costRows(
  what: string,
  connections: number,
  baselines: readonly Cost[],
  measured: readonly Cost[],
): Row[] {
  return costs.map(({ name, what: part, unit, digits }) => {
    const values = measured.map(cost => cost[name])
    const base = median(baselines.map(cost => cost[name]))
    return {
      what: `a send, ${what}: ${part}`,
      connections,
      baseline: base > 0 ? `${base.toFixed(digits)}${unit}` : '',
      gateway: `${median(values).toFixed(digits)}${unit}${spread(values)}`,
      figure: base > 0 ? (median(values) / base).toFixed(2) : '',
      ...unmarked,
    }
  })
}
