import { useEffect, useState } from 'react'

/*
 * The tabs of one browser that show the console, beside each other.
 */

/** A page in another window, or behind another tab, is in front of nobody. */
export const hasFocus = () => !document.hidden && document.hasFocus()
export function onFocus(onChange: () => void) {
  const leaving = new AbortController()
  for (const event of ['focus', 'blur', 'visibilitychange'])
    window.addEventListener(event, onChange, { signal: leaving.signal })
  return () => leaving.abort()
}

/**
 * Of the tabs with this workspace one is the first: it does what is to be done once, and another follows when it is
 * closed. Without TLS browsers have no locks, but on the own machine: then none is.
 */
export function useFirstTab(workspaceId: string): boolean {
  const [isFirst, setFirst] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const hold = () =>
      new Promise<void>(release => {
        signal.addEventListener('abort', () => release())
        setFirst(true)
      })
    // It fails for who leaves while another tab is the first.
    navigator.locks?.request(`waypost-first-${workspaceId}`, { signal }, hold).catch(() => {})
    return () => leaving.abort()
  }, [workspaceId])
  return isFirst
}

const looks = new BroadcastChannel('waypost-looks')
looks.addEventListener('message', ({ data }) => {
  if (data === 'who?' && hasFocus()) looks.postMessage('I do')
})
/** A tab with the focus answers at once: no browser slows it down. */
const answerMs = 200

/** @returns whether somebody looks at the console in any tab of this browser */
export async function isLookedAt(): Promise<boolean> {
  if (hasFocus()) return true
  const answered = new AbortController()
  return new Promise<boolean>(resolve => {
    const hear = ({ data }: MessageEvent) => data === 'I do' && resolve(true)
    looks.addEventListener('message', hear, { signal: answered.signal })
    setTimeout(() => resolve(false), answerMs)
    looks.postMessage('who?')
  }).finally(() => answered.abort())
}
