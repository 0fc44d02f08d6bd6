const signals = ['SIGINT', 'SIGTERM'] as const

/** Resolves at the first of the signals; a second one, the same or another, ends the process at once. */
export const stopSignal = () =>
  new Promise<void>(resolve => {
    const stop = () => {
      // What nobody listens for ends the process.
      for (const signal of signals) process.off(signal, stop)
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
