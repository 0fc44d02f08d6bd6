/** A part of what has a known length: from the first byte to the one after the last. */
export interface Part {
  readonly from: number
  readonly end: number
}

const single = /^bytes=(\d{0,15})-(\d{0,15})$/i

/**
 * Reads a `Range` (RFC 9110 14). Several ranges, and what is no range of bytes, are ignored, as a server may.
 * @param header null: there is none
 * @returns `whole`; the part; `unsatisfiable`, to be answered 416
 */
export function readRange(header: string | null, length: number): Part | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = single.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  // The last bytes; of a shorter file, all.
  if (first === '') return partOf(Math.max(0, length - Number(last)), length, Number(last) > 0 && length > 0)
  const [from, to] = [Number(first), last === '' ? length - 1 : Number(last)]
  if (to < from && last !== '') return 'whole'
  return partOf(from, Math.min(to + 1, length), from < length)
}

const partOf = (from: number, end: number, isThere: boolean) => (isThere ? { from, end } : 'unsatisfiable')
