import type { Command } from 'commander'
import { type Config, type Environment, loadConfig } from '../config.ts'
import { createLogger, type Logger } from '../log.ts'
import type { Gateway } from '../serve.ts'
import { stopSignal } from './signal.ts'

/** `waypost serve`: the gateway, until SIGINT or SIGTERM. */
export function serveCommand(program: Command, environment: Environment): void {
  program
    .command('serve')
    .description('start the gateway')
    .action(async () => {
      const config = loadConfig(environment)
      const log = createLogger({ level: config.logLevel, format: config.logFormat })
      await withGateway(config, log, async () => {})
    })
}

/**
 * Starts a gateway, does the work beside it, and keeps serving until a signal.
 * @throws Error when it cannot start, when it cannot go on, or when the work fails
 */
export async function withGateway(config: Config, log: Logger, work: (gateway: Gateway) => Promise<void>) {
  // Listening for the end comes first: a signal during the start must not kill it halfway.
  const stopped = stopSignal()
  const fatal = Promise.withResolvers<never>()
  // Until somebody waits for it; a failed start is reported by the start itself.
  fatal.promise.catch(() => {})
  // Loaded only here: the web framework would slow down every other command.
  const { startGateway } = await import('../serve.ts')
  const gateway = await startGateway({ config, log, onFatal: why => fatal.reject(new Error(why)) })
  const worked = work(gateway).then(
    () => stopped,
    async error => {
      await gateway.stop()
      throw error
    },
  )
  // A gateway whose writer died has nothing to finish: what was not answered is not claimed.
  await Promise.race([worked, stopped, fatal.promise])
  await gateway.stop()
}
