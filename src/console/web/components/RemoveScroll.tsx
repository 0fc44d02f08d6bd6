import { type ReactNode, useEffect } from 'react'

let locks = 0

/**
 * Keeps the page behind a dialog where it is, and its width while its scrollbar is away. Stands in the bundle in the
 * place of the package that the dialogs import, which also knows browsers where a style does not do it: 4 kB.
 */
export function RemoveScroll({ enabled, children }: { readonly enabled?: boolean; readonly children: ReactNode }) {
  useEffect(() => {
    if (!enabled) return
    const { style, clientWidth } = document.documentElement
    if (locks++ === 0) {
      style.scrollbarGutter = innerWidth > clientWidth ? 'stable' : ''
      style.overflow = 'hidden'
    }
    return () => {
      if (--locks === 0) style.overflow = style.scrollbarGutter = ''
    }
  }, [enabled])
  return <div>{children}</div>
}

/** What leaves room for a scrollbar by a class. The room stays by itself here. */
RemoveScroll.classNames = { zeroRight: '' }
