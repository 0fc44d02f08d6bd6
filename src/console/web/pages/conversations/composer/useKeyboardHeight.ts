import { useEffect } from 'react'

/** Tells the sheet how much of the window the keyboard of a telephone covers, where the browser does not shrink it. */
export function useKeyboardHeight(): void {
  useEffect(() => {
    const { visualViewport: shown } = window
    if (!shown) return
    const { style } = document.documentElement
    // Who enlarges the page with two fingers has no keyboard.
    const measure = () => {
      const hidden = shown.scale > 1 ? 0 : Math.round(window.innerHeight - shown.height)
      style.setProperty('--keyboard-height', `${Math.max(0, hidden)}px`)
    }
    measure()
    shown.addEventListener('resize', measure)
    return () => {
      shown.removeEventListener('resize', measure)
      style.removeProperty('--keyboard-height')
    }
  }, [])
}
