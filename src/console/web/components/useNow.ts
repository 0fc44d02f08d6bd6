import { useSyncExternalStore } from 'react'

/** Relative times are shown in minutes. */
const everyMs = 20_000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tell of listeners) tell()
  }, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** @returns the time of now, which moves on while the component is shown: one timer for all of a page */
export function useNow(): number {
  const shown = useSyncExternalStore(subscribe, () => now)
  // The clock stood still while nothing was shown.
  return listeners.size === 0 ? Date.now() : shown
}
