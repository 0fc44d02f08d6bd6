import { dlopen } from 'bun:ffi'
import { messageOf } from '../errors.ts'
import type { Logger } from '../log.ts'

/** Part of every system that systemd starts services on; it finds the socket in the environment itself. */
const library = 'libsystemd.so.0'

/**
 * Tells systemd that the gateway is ready (`Type=notify`). In this process, so that the unit need not believe its children
 * (`NotifyAccess=main`); by systemd's own library, because the runtime has no datagram sockets of the file system.
 * When it cannot be told, the gateway serves all the same, and a warning says why.
 */
export function notifyReady(log: Logger): void {
  try {
    const { symbols, close } = dlopen(library, { sd_notify: { args: ['i32', 'ptr'], returns: 'i32' } })
    const sent = symbols.sd_notify(0, new TextEncoder().encode('READY=1\0'))
    close()
    // 0: there is no socket in the environment; below it, the number of a system's error.
    if (sent <= 0) log.warn({ code: sent }, notTold)
  } catch (error) {
    log.warn({ reason: messageOf(error) }, notTold)
  }
}

const notTold = 'systemd could not be told that the gateway is ready'
