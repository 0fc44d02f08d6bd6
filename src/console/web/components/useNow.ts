import { useSyncExternalStore } from 'react'

/** Relative times are shown in minutes. */
const everyMs = 20_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times of a page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const tell of listeners) tell()
  }, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** @returns the time of now, some seconds old; it moves on while the component is shown */
export const useNow = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / everyMs) * everyMs)
