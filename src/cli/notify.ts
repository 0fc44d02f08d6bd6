import { dlopen } from 'bun:ffi'
import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import { messageOf } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../telemetry/log.ts'

/** Part of every system that systemd starts services on; it finds the socket in the environment itself. */
const library = 'libsystemd.so.0'

/** Notifies systemd of the state of the service, sd_notify(3). Without systemd it does nothing. */
export interface Supervisor {
  /** What a start does that takes long. Told again within a few seconds, it may take as long as it needs. */
  starting(status: string): void
  /** From here on it also sends watchdog keep-alives, where the unit has a WatchdogSec. */
  ready(url: string): void
  stopping(): void
}

/**
 * Notifies from this process, so that the unit need not trust its children (`NotifyAccess=main`); by systemd's own
 * library, because the runtime has no Unix datagram sockets. When that fails, the gateway serves all the same, and one
 * warning says why.
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
   * On the main thread, which decides everything: when it hangs, keep-alives stop, and systemd restarts the gateway.
   */
  function keepAlive(everyMs: number) {
    clock.setTimer(everyMs, () => {
      tell('WATCHDOG=1')
      keepAlive(everyMs)
    })
  }
  return {
    starting: status => tell(`EXTEND_TIMEOUT_USEC=${startMsMax * 1_000}\nSTATUS=${status}`),
    ready(url) {
      tell(`READY=1\nSTATUS=Ready at ${url}`)
      // Half of the time, as sd_watchdog_enabled(3) recommends.
      if (systemd?.watchdogMs) keepAlive(systemd.watchdogMs / 2)
    },
    stopping: () => tell('STOPPING=1\nSTATUS=Stopping: waiting for the upstream to answer'),
  }
}

/** A start that says nothing for this time has failed, once the unit's TimeoutStartSec has passed. */
const startMsMax = minuteMs

const notTold = 'systemd could not be notified that the gateway is ready'
