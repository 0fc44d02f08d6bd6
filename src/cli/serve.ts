import type { Command } from 'commander'
import { type Config, type Environment, loadConfig } from '../config.ts'
import { createLogger, type Logger } from '../log.ts'
import type { Gateway } from '../serve.ts'
import { addVerb } from './command.ts'
import { stopSignal } from './signal.ts'

/** `waypost serve`: the gateway, until a signal to stop. */
export function serveCommand(program: Command, environment: Environment): void {
  addVerb(program, {
    name: 'serve',
    summary: 'start the gateway',
    inputs: {},
    async run(_, { announce }) {
      const config = loadConfig(environment)
      const { dataDir, logLevel: level, logFormat: format } = config
      // People read the log.
      const ready = ({ url }: Gateway) => announce({ data: { url, dataDir }, text: null })
      await withGateway(config, createLogger({ level, format }), ready)
      return undefined
    },
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
