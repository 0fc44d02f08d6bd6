import { randomInt } from 'node:crypto'

/**
 * Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections: one of those
 * may go to another test's connection before the program listens.
 */
const ports = { min: 10_000, max: 32_767 }

/** @returns a port that was free just now, for a program that does not say which one it took. */
export function freePort(): number {
  for (;;) {
    const port = randomInt(ports.min, ports.max + 1)
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
      return port
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
}
