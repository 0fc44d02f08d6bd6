import type { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { startGateway } from '../serve.ts'

/** `waypost serve`: the gateway, until SIGINT or SIGTERM. */
export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('start the gateway')
    .action(async () => {
      const config = loadConfig(process.env)
      const log = createLogger({ level: config.logLevel, format: config.logFormat })
      await new Promise<void>((resolve, reject) => {
        startGateway({ config, log, onFatal: why => reject(new Error(why)) }).then(gateway => {
          const stop = () => void gateway.stop().then(resolve, reject)
          process.once('SIGINT', stop)
          process.once('SIGTERM', stop)
        }, reject)
      })
    })
}
