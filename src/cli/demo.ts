import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Config, type Environment, loadConfig, portMax } from '../config/config.ts'
import { createLogger } from '../telemetry/log.ts'
import { addVerb } from './command.ts'
import { createDemoClock } from './demoClock.ts'
import { optional, whole } from './inputs.ts'
import { withGateway } from './serve.ts'
import type { Workbench } from './session.ts'

/** High, because counts survive restarts and each run makes a dozen requests from this machine. */
const demoRateLimit = 1_000

/**
 * `waypost demo`: a gateway with the sandbox as its channel and a receiver of webhooks, a day of a small shop, two
 * messages followed to READ, and lines to try.
 */
export function demoCommand(program: Command, { environment, checkPlace }: Workbench): void {
  addVerb(program, {
    name: 'demo',
    summary: 'show a working gateway in a minute, with a stand-in for the channel; needs no credentials',
    example: 'demo --port 0',
    inputs: { port: optional(whole(0, portMax), 'the port to listen on; 0: any free one; else that of PORT, or 8080') },
    async run({ port }, { announce, tell }) {
      checkPlace()
      const config = demoConfig({ ...environment(), ...(port !== undefined && { PORT: String(port) }) })
      const level = config.logLevel === 'info' ? 'warn' : config.logLevel
      const log = createLogger({ level, format: config.logFormat })
      const { startSandbox } = await import('../sandbox/server.ts')
      const { startDemoReceiver } = await import('./demoReceiver.ts')
      const { present } = await import('./demoRun.ts')
      const { dayLengthMs } = await import('./demoDay.ts')
      // A day is played once, in a database that is new.
      const isNew = !existsSync(config.databasePath)
      const clock = createDemoClock(isNew ? dayLengthMs : 0)
      const sandbox = await startSandbox({ clock })
      const receiver = startDemoReceiver()
      try {
        const given = { ...config.given, CHANNEL_API_URL: sandbox.url }
        const withSandbox = { ...config, channelApiUrl: sandbox.url, given }
        const { control } = sandbox
        await withGateway(
          withSandbox,
          log,
          async gateway =>
            announce(await present({ gateway, config: withSandbox, receiver, tell, control, clock, isNew, log })),
          () => {},
          clock,
        )
      } finally {
        await receiver.stop()
        await sandbox.stop()
      }
      return undefined
    },
  })
}

/**
 * The demo has its own data, key and limits, independent of the real gateway's settings. The real gateway must never
 * find the demo's channel, and messages of the real database must never be sent to the sandbox. A changed `SECRET_KEY`
 * must not make the secrets of an earlier run unreadable.
 */
function demoConfig(environment: Environment): Config {
  const own = {
    ...environment,
    DATABASE_PATH: undefined,
    DATABASE_URL: undefined,
    SECRET_KEY: undefined,
    SECRET_KEY_FILE: undefined,
    // Where its own receiver is.
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  }
  const config = loadConfig({ ...own, DATA_DIR: join(loadConfig(own).dataDir, 'demo') })
  const enough = (limit: number) => (limit === 0 ? 0 : Math.max(limit, demoRateLimit))
  return { ...config, ipRateLimit: enough(config.ipRateLimit), keyRateLimit: enough(config.keyRateLimit) }
}
