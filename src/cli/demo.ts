import { join } from 'node:path'
import type { Command } from 'commander'
import { type Config, type Environment, loadConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { addVerb } from './command.ts'
import { withGateway } from './serve.ts'

/** Counts are kept over restarts, and each run makes a dozen requests from this machine: it may be run all day. */
const demoIpRateLimit = 1_000

/** `waypost demo`: a gateway with the sandbox as its channel, two messages followed to READ, and lines to try. */
export function demoCommand(program: Command, environment: Environment): void {
  addVerb(program, {
    name: 'demo',
    summary: 'show a working gateway in a minute, with a stand-in for the channel; needs no credentials',
    inputs: {},
    async run(_, { announce, tell }) {
      const config = demoConfig(environment)
      const level = config.logLevel === 'info' ? 'warn' : config.logLevel
      const log = createLogger({ level, format: config.logFormat })
      const { startSandbox } = await import('../sandbox/server.ts')
      const { present } = await import('./demoRun.ts')
      const sandbox = await startSandbox()
      try {
        const withSandbox = { ...config, channelApiUrl: sandbox.url }
        await withGateway(withSandbox, log, async gateway => announce(await present(gateway, withSandbox, tell)))
      } finally {
        await sandbox.stop()
      }
      return undefined
    },
  })
}

/**
 * Data of its own, whatever is set for the real gateway: that must never find the demonstration's channel, and what waits
 * in the real database must never be sent to the sandbox.
 */
function demoConfig(environment: Environment): Config {
  const dataDir = join(loadConfig(environment).dataDir, 'demo')
  const config = loadConfig({ ...environment, DATA_DIR: dataDir, DATABASE_PATH: undefined })
  const ipRateLimit = config.ipRateLimit === 0 ? 0 : Math.max(config.ipRateLimit, demoIpRateLimit)
  return { ...config, ipRateLimit }
}
