import { dlopen } from 'bun:ffi'
import type { Config } from '../config/config.ts'
import { messageOf } from '../errors.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Clock } from '../time/clock.ts'

/** Part of every system that systemd starts services on; it finds the socket in the environment itself. */
const library = 'libsystemd.so.0'

/** What systemd is told of the service, sd_notify(3). Without systemd, nothing is told. */
export interface Supervisor {
  /** From here on it is also told again and again that the process lives, where the unit has a WatchdogSec. */
  ready(url: string): void
  stopping(): void
}

/**
 * Told in this process, so that the unit need not believe its children (`NotifyAccess=main`); by systemd's own library,
 * because the runtime has no datagram sockets of the file system. When systemd cannot be told, the gateway serves all
 * the same, and one warning says why.
 */
export function openSupervisor(systemd: Config['systemd'], { clock, log }: { clock: Clock; log: Logger }): Supervisor {
  let tell = (state: string) => {
    if (systemd === null) return
    try {
      const { symbols } = dlopen(library, { sd_notify: { args: ['i32', 'ptr'], returns: 'i32' } })
      const send = (state: string) => symbols.sd_notify(0, new TextEncoder().encode(`${state}\0`))
      // 0: there is no socket in the environment; below it, the number of a system's error.
      const sent = send(state)
      if (sent <= 0) log.warn({ code: sent }, notTold)
      tell = send
    } catch (error) {
      log.warn({ reason: messageOf(error) }, notTold)
      tell = () => {}
    }
  }
  /**
   * By the main thread, which decides everything: when it hangs, nothing is told, and systemd starts the gateway anew.
   */
  function keepAlive(everyMs: number) {
    clock.setTimer(everyMs, () => {
      tell('WATCHDOG=1')
      keepAlive(everyMs)
    })
  }
  return {
    ready(url) {
      tell(`READY=1\nSTATUS=Ready at ${url}`)
      // Half of the time, as sd_watchdog_enabled(3) recommends.
      if (systemd?.watchdogMs) keepAlive(systemd.watchdogMs / 2)
    },
    stopping: () => tell('STOPPING=1\nSTATUS=Stopping: what has left for the upstream is waited for'),
  }
}

const notTold = 'systemd could not be told that the gateway is ready'
