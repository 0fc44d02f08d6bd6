import type { CSSProperties } from 'react'

/** How wide a part of `.tiles` (components.css) is at least: as many stand side by side as have room. */
export const tile = (width: string) => ({ '--tile': width }) as CSSProperties

/** At most two. */
export const two = 'max(14rem, 40%)'
