/** A piece of a text: words, or a variable with what fills it. */
export interface Segment {
  readonly text: string
  /** What stands between the braces; null for words. */
  readonly variable: string | null
}

const marker = /\{\{\s*(\w+)\s*\}\}/g

/** Cuts a text at its variables, each with its value; one without a value stays as it is written. */
export function segmentsOf(text: string, valueFor: (key: string) => string | undefined): Segment[] {
  const segments: Segment[] = []
  let from = 0
  for (const match of text.matchAll(marker)) {
    const [whole, key = ''] = match
    if (match.index > from) segments.push({ text: text.slice(from, match.index), variable: null })
    segments.push({ text: valueFor(key) || whole, variable: key })
    from = match.index + whole.length
  }
  if (from < text.length) segments.push({ text: text.slice(from), variable: null })
  return segments
}
