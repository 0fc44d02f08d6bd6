/** Typing mistakes that still show which name was meant: a letter too many, left out, or another one. */
export const slipsMax = 2
/** A shorter name is as near to many others. */
const nearLengthMin = 4

/** @returns the known name that was probably meant; null: none is near. Case, `_` and `-` do not count */
export function nearName(given: string, known: readonly string[]): string | null {
  const written = plain(given)
  const exact = known.find(name => plain(name) === written)
  if (exact !== undefined) return exact
  // A caller's word may be long, and each name is compared letter by letter.
  const near = known
    .filter(name => Math.min(name.length, given.length) >= nearLengthMin)
    .filter(name => Math.abs(plain(name).length - written.length) <= slipsMax)
    .map(name => ({ name, slips: editDistance(written, plain(name)) }))
    .filter(({ slips }) => slips <= slipsMax)
    .sort((one, other) => one.slips - other.slips)
  return near[0]?.name ?? null
}

/** @returns how a refusal goes on when a name is near; empty: none is */
export function didYouMean(given: string, known: readonly string[]): string {
  const near = nearName(given, known)
  return near === null ? '' : `; did you mean ${near}?`
}

const plain = (name: string) => name.replace(/[-_]/g, '').toLowerCase()

/** Levenshtein: how many letters have to be added, left out or replaced. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
