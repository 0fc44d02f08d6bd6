import { batchBenchmark } from './batches.ts'
import type { Bench } from './bench.ts'
import { clusterBenchmarks, diskBenchmarks, patientBenchmarks } from './cluster.ts'
import { eventBenchmarks } from './events.ts'
import { fairBenchmarks, fairPostgresBenchmarks } from './fair.ts'
import { largeBenchmarks } from './large.ts'
import { manySendsBenchmarks, manySendsPostgresBenchmarks } from './manySends.ts'
import { memoryBenchmarks } from './memory.ts'
import type { Group } from './options.ts'
import { paceRowBenchmarks } from './paces.ts'
import { postgresBenchmarks } from './postgres.ts'
import { postgresCallbackBenchmarks } from './postgresCallbacks.ts'
import { pruneBenchmarks } from './prune.ts'
import { callbackBenchmark, refusalBenchmarks, replayBenchmarks, statusBenchmarks } from './routes.ts'
import type { Benchmark } from './scenario.ts'
import { latencyBenchmarks, sendBenchmarks } from './sends.ts'
import { startBenchmarks } from './start.ts'
import { webhookBenchmarks } from './webhooks.ts'

/** Starts what a group measures, and measures against. */
export const benchmarksOf: Readonly<Record<Group, (bench: Bench) => Promise<readonly Benchmark[]>>> = {
  send: sendBenchmarks,
  latency: latencyBenchmarks,
  replay: replayBenchmarks,
  status: statusBenchmarks,
  refusal: refusalBenchmarks,
  callback: async bench => [await callbackBenchmark(bench), await batchBenchmark(bench)],
  start: startBenchmarks,
  prune: pruneBenchmarks,
  events: eventBenchmarks,
  webhook: webhookBenchmarks,
  fair: fairBenchmarks,
  batch: manySendsBenchmarks,
  large: largeBenchmarks,
  memory: memoryBenchmarks,
  'fair-postgres': fairPostgresBenchmarks,
  'batch-postgres': manySendsPostgresBenchmarks,
  postgres: postgresBenchmarks,
  'postgres-callbacks': postgresCallbackBenchmarks,
  cluster: clusterBenchmarks,
  'cluster-patient': patientBenchmarks,
  'cluster-disk': diskBenchmarks,
  'cluster-rows': paceRowBenchmarks,
}
