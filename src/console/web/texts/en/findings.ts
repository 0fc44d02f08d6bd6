import type { Said } from '../translator.ts'

/** The gateway says them in English. */
export const findings: Said = {}
