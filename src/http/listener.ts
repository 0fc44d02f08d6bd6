import { lookup } from 'node:dns/promises'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { systemClock, wait } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import { messageOf } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../telemetry/log.ts'

/** The part of the app that listens. */
export interface ListeningApp {
  readonly server: {
    readonly port?: number | undefined
    readonly pendingRequests: number
    stop(closeActiveConnections?: boolean): Promise<void>
  } | null
  listen(options: { hostname: string; port: number }): unknown
  stop(closeActiveConnections?: boolean): Promise<unknown>
}

export interface Listener {
  readonly url: string
  /** Finishes requests in flight, then closes the remaining connections. */
  stop(): Promise<void>
}

/** The server knows how many requests are open, but does not report when one ends. */
const pollMs = 10
/** Added to the time that a send waits for its answer. */
const stopGraceMs = 2_000
/**
 * How long new connections to the upstream may fail because no descriptor is free. Such a send is retried
 * automatically.
 */
const watchMs = 50
/** Descriptors kept for the upstream while requests under way are finished. Connections to it are used again. */
const reserveMax = 64
/** A flood that goes on is logged once a minute. */
const warnMs = minuteMs

/**
 * Listens, and keeps strangers from taking every file descriptor. Anybody can open a connection and send no request; it
 * costs a descriptor until the server's idle limit, and without a descriptor no message reaches the upstream. When none
 * is left, the port is closed, the reserve goes to the upstream, requests in flight get their answer, all connections
 * are closed, and the port is reopened: a few milliseconds when no request is in flight. Meanwhile callers see a
 * refused connection; no request is lost.
 * @throws Error with a sentence for the operator when it cannot listen on the address
 */
export async function startListener(
  app: ListeningApp,
  { host, port, sendWaitMs }: Pick<Config, 'host' | 'port' | 'sendWaitMs'>,
  log: Logger,
): Promise<Listener> {
  await checkHost(host)
  listen(app, host, port)
  // The one that was given for port 0 is listened on again.
  const ownPort = app.server?.port ?? port
  const reserve = new Reserve()
  let isStopping = false
  let renewal = Promise.resolve()
  let warnedAt = Number.NEGATIVE_INFINITY
  let floods = 0

  async function renew() {
    await finishRequests(app, sendWaitMs, () => reserve.release())
    if (app.server) await app.stop(true)
    if (isStopping) return
    listen(app, host, ownPort)
    reserve.refill()
    floods += 1
    if (systemClock.steady() - warnedAt < warnMs) return
    warnedAt = systemClock.steady()
    log.warn(
      { times: floods },
      'every file descriptor was in use: all connections were closed. Raise the limit (LimitNOFILE, ulimit -n), or ' +
        'limit connections for each address at the proxy',
    )
    floods = 0
  }

  let cancelWatch = () => {}
  function watch() {
    cancelWatch = systemClock.setTimer(watchMs, async () => {
      if (!app.server || !hasDescriptors()) {
        renewal = renew().catch(error => log.error({ why: messageOf(error) }, 'reopening the port failed; retrying'))
        await renewal
      }
      if (!isStopping) watch()
    })
  }
  watch()

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${ownPort}`,
    async stop() {
      isStopping = true
      cancelWatch()
      await renewal
      await finishRequests(app, sendWaitMs, () => reserve.release())
      if (app.server) await app.stop(true)
    },
  }
}

/**
 * Accepts no more, and waits for open requests: they get their answer if it comes within the time that a send waits,
 * plus some grace. A request whose body or files are still uploading then gets none.
 */
async function finishRequests({ server }: ListeningApp, sendWaitMs: number, onClosed: () => void): Promise<void> {
  const until = systemClock.steady() + sendWaitMs + stopGraceMs
  // Not awaited: it would also wait for connections whose refused body is still unread.
  void server?.stop()
  onClosed()
  while (server && server.pendingRequests > 0 && systemClock.steady() < until) await wait(systemClock, pollMs)
}

/** Whether one more file could be opened, of this process and of the machine. */
function hasDescriptors(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  }
}

/** Descriptors that are open for nothing but to be closed in time. */
class Reserve {
  readonly #held: number[] = []

  constructor() {
    this.refill()
  }

  refill(): void {
    try {
      while (this.#held.length < reserveMax) this.#held.push(openSync(devNull, 'r'))
    } catch {
      // As many as there are.
    }
  }

  release(): void {
    for (const descriptor of this.#held.splice(0)) closeSync(descriptor)
  }
}

/**
 * Finds that nobody could listen there before anything is made or changed for a gateway that then could not start.
 * @throws Error as `startListener`
 */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  await checkHost(host)
  if (port === 0) return
  const probe = explained(host, port, () =>
    Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response() }),
  )
  await probe.stop(true)
}

const noHost = (host: string) =>
  `HOST is ${host}, which is no address of this machine. Set it to one, or to 0.0.0.0 for all.`

/** The server would report an unknown host name as a port in use. */
async function checkHost(host: string): Promise<void> {
  try {
    await lookup(host)
  } catch (cause) {
    throw new Error(noHost(host), { cause })
  }
}

function listen(app: ListeningApp, host: string, port: number): void {
  const ownHooks = new Set(process.listeners('beforeExit'))
  try {
    explained(host, port, () => app.listen({ hostname: host, port }))
  } finally {
    // The router leaves a hook with each listening, to stop at the process's end. We stop it ourselves.
    for (const hook of process.listeners('beforeExit')) if (!ownHooks.has(hook)) process.off('beforeExit', hook)
  }
}

/** @throws Error with a sentence for the operator when `listening` fails */
function explained<Result>(host: string, port: number, listening: () => Result): Result {
  try {
    return listening()
  } catch (cause) {
    switch (cause instanceof Error && 'code' in cause ? cause.code : undefined) {
      case 'EADDRINUSE':
        throw new Error(`Port ${port} of ${host} is in use. Stop what listens there, or set PORT.`, { cause })
      case 'EADDRNOTAVAIL':
        throw new Error(noHost(host), { cause })
      case 'EACCES':
        throw new Error(`Port ${port} is not for this user to listen on. Set PORT to one from 1024 on.`, { cause })
      default:
        throw cause
    }
  }
}
