import { systemClock } from '../../src/base/clock.ts'
import { withGateway } from '../../src/cli/serve.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { JobParts } from '../../src/jobs/job.ts'
import { prune } from '../../src/jobs/prune.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { announce } from './processes.ts'

/*
 * The gateway, run from source, whose pruning can be asked for: by itself it prunes every ten minutes, and on nobody's
 * word. A POST to the announced address runs the job on the gateway's own store, and is answered once it has ended; a
 * DELETE makes it end.
 * bun test/bench/pruning.ts <how far the job's clock runs ahead, in ms>, with the gateway's settings in the environment
 */

const aheadMs = Number(process.argv[2])
const config = loadConfig(process.env)
const log = createLogger({ level: config.logLevel, format: config.logFormat })

await withGateway(config, log, async ({ store }) => {
  let isEnding = false
  const { pruneIdempotencyKeys } = store.write
  const parts: JobParts = {
    store: {
      ...store,
      // A step that finds nothing is the last one.
      write: { ...store.write, pruneIdempotencyKeys: async step => (isEnding ? 0 : await pruneIdempotencyKeys(step)) },
    },
    clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
    log,
    config,
    // This job has no use for them.
    client: {} as JobParts['client'],
    credentials: {} as JobParts['credentials'],
    templateRefresher: {} as JobParts['templateRefresher'],
    batches: {} as JobParts['batches'],
    backups: { run: async () => {} },
    files: { run: async () => {}, measure: async () => {}, sweep: async () => {} },
  }
  const control = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // The answer takes as long as the job.
    idleTimeout: 0,
    async fetch({ method }) {
      isEnding = method === 'DELETE'
      if (!isEnding) await prune(parts)
      return new Response('done')
    },
  })
  announce({ url: `http://127.0.0.1:${control.port}` })
})
process.exit(0)
