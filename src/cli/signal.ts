/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export const stopSignal = () =>
  new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
