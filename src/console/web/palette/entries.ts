import type { Icon } from '@tabler/icons-react'

/** Something that the palette offers. */
export interface PaletteEntry {
  /** Differs from that of every other entry: the one that is chosen stays chosen while others come and go. */
  readonly id: string
  readonly label: string
  /** What tells it from others of its name, such as a number. */
  readonly detail?: string
  /** Other words by which it is found. */
  readonly sought?: string | undefined
  readonly icon: Icon
  /** A page below `/console` that it opens, or what it does. */
  readonly to: string | (() => unknown)
}

/** Entries under one heading. */
export interface EntryGroup {
  readonly heading: string
  readonly entries: readonly PaletteEntry[]
}

/** @returns whether every word of the text begins a word of the label: `cr key` finds "Create a key" */
export function fitsLabel(text: string, label: string): boolean {
  const labelWords = wordsOf(label)
  return wordsOf(text).every(word => labelWords.some(other => other.startsWith(word)))
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
