import type { Command } from 'commander'
import { StoppedBeforeReady } from '../../db/start.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import { settings } from '../config/settings.ts'
import { offerSetupLink, setupAddress, setupNote } from '../operations/links.ts'
import type { Gateway } from '../serve.ts'
import { createLogger, type Logger } from '../telemetry/log.ts'
import { addVerb } from './command.ts'
import { openSupervisor } from './notify.ts'
import type { Workbench } from './session.ts'
import { stopSignal } from './signal.ts'

/** `waypost serve`: the gateway, until a signal to stop. */
export function serveCommand(program: Command, { config: readConfig }: Workbench): void {
  const serve = addVerb(program, {
    name: 'serve',
    summary: 'start the gateway',
    example: 'serve',
    inputs: {},
    async run(_, { announce }) {
      const config = readConfig()
      const { dataDir, logLevel: level, logFormat: format } = config
      // People read the log.
      const log = createLogger({ level, format })
      const supervisor = openSupervisor(config.systemd, { clock: systemClock, log })
      const ready = async ({ url, store }: Gateway) => {
        const base = setupAddress(config.publicUrl, url)
        const setupUrl = await offerSetupLink(store, { base, clock: store.clock }).catch((error: unknown) => {
          // Sends go on without it, for example on a full disk.
          log.error({ err: error }, 'the set-up link could not be made; make one with: waypost user setup-link')
          return null
        })
        // In the log as well: the operator of a service sees nothing else (docs/threats.md#a-session-of-the-console).
        if (setupUrl !== null) log.warn({ setupUrl }, 'nobody can sign in yet: open setupUrl to make the first user')
        const note = setupUrl === null ? null : setupNote(config.publicUrl)
        if (note !== null) log.warn({ publicUrl: config.publicUrl }, note)
        await announce({
          data: { url, dataDir, ...(setupUrl !== null && { setupUrl }) },
          text: setupUrl === null ? null : setupInvitation(setupUrl),
        })
        supervisor.ready(url)
        void stopSignal().then(() => supervisor.stopping())
      }
      await withGateway(config, log, ready, supervisor.starting)
      return undefined
    },
  })
  serve.addHelpText('after', `\nSettings, as environment variables or in --env-file:\n${settingsTable()}`)
}

const setupInvitation = (link: string) =>
  `Nobody can sign in yet. Open this link within 30 minutes to make the first user; it works once:\n\n  ${link}\n`

/** As commander prints options. */
function settingsTable(): string {
  const rows = Object.entries(settings)
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows
    .map(([name, [fallback, purpose]]) => `  ${name.padEnd(width)}  ${purpose} (default: ${fallback})`)
    .join('\n')
}

/**
 * Starts a gateway, runs `work` while it serves, and serves until a signal. After a signal before it is ready, the work
 * is not run, and the process must end.
 * @param onProgress told what a long start does, every few seconds
 * @param clock in place of the machine's
 * @throws Error when it cannot start, when it cannot go on, or when the work fails
 */
export async function withGateway(
  config: Config,
  log: Logger,
  work: (gateway: Gateway) => Promise<void>,
  onProgress: (status: string) => void = () => {},
  clock?: Clock,
) {
  const stopping = new AbortController()
  // Listens for signals first: a signal during the start must not kill it halfway.
  const stopped = stopSignal().then(signal => {
    log.info({ signal }, 'the gateway is stopping')
    stopping.abort()
  })
  const fatal = Promise.withResolvers<never>()
  // Handled until it is awaited below. A failed start is reported by the start itself.
  fatal.promise.catch(() => {})
  // Loaded only here: the web framework would slow down every other command.
  const { startGateway } = await import('../serve.ts')
  // What was under way is refused first, and logged: the last line is the one that says why the gateway ended.
  const onFatal = (why: string) => void setImmediate(() => fatal.reject(new Error(why)))
  const gateway = await startGateway({
    ...{ config, log, stopping: stopping.signal, onProgress, onFatal },
    ...(clock && { clock }),
  }).catch(error => {
    if (!(error instanceof StoppedBeforeReady)) throw error
    log.info('the gateway has stopped before it was ready')
    return null
  })
  if (gateway === null) return
  const worked = work(gateway).then(
    () => stopped,
    async error => {
      await gateway.stop()
      throw error
    },
  )
  // After the writer died there is nothing to finish: open requests get no answer.
  await Promise.race([worked, stopped, fatal.promise])
  await gateway.stop()
}
