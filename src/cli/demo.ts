import type { Command } from 'commander'
import { type Environment, loadConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { withGateway } from './serve.ts'

/** Counts are kept over restarts, and each run makes a dozen requests from this machine: it may be run all day. */
const demoIpRateLimit = 1_000

/** `waypost demo`: a gateway with the sandbox as its channel, two messages followed to READ, and lines to try. */
export function demoCommand(program: Command, environment: Environment): void {
  program
    .command('demo')
    .description('show a working gateway in a minute, with a stand-in for the channel; needs no credentials')
    .action(async () => {
      // Data of its own, so that a real gateway never finds the demonstration's channel.
      const config = loadConfig(environment, { dataDir: './data/demo' })
      const level = config.logLevel === 'info' ? 'warn' : config.logLevel
      const log = createLogger({ level, format: config.logFormat })
      const { startSandbox } = await import('../sandbox/server.ts')
      const { present } = await import('./demoRun.ts')
      const sandbox = await startSandbox()
      try {
        const ipRateLimit = config.ipRateLimit === 0 ? 0 : Math.max(config.ipRateLimit, demoIpRateLimit)
        const withSandbox = { ...config, channelApiUrl: sandbox.url, ipRateLimit }
        await withGateway(withSandbox, log, gateway => present(gateway, withSandbox))
      } finally {
        await sandbox.stop()
      }
    })
}
