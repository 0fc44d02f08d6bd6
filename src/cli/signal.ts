import { readFileSync } from 'node:fs'

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Resolves with the first of the signals, or when the terminal closes; a second signal of any kind ends the process at
 * once. Except a second hangup: a closing terminal sends one, and its shell another.
 */
export const stopSignal = () =>
  new Promise<NodeJS.Signals>(resolve => {
    const stop = (received: NodeJS.Signals) => {
      // Without a listener, the signal ends the process.
      for (const signal of signals) process.off(signal, stop)
      resolve(received)
    }
    for (const signal of signals) process.on(signal, stop)
    if (endsWithTerminal()) process.on('SIGHUP', stop)
  })

/** `nohup` starts a process that ignores the hangup, and a listener would undo that. Only Linux shows it. */
function endsWithTerminal(): boolean {
  try {
    const [, ignored = ''] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    // The lowest bit is signal 1, the hangup.
    return Number.parseInt(ignored.slice(-1), 16) % 2 === 0
  } catch {
    return false
  }
}
