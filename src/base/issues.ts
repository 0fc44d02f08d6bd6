/** Problems named in one answer. A body could have thousands. */
export const issuesMax = 100
/** Characters of a path, which holds field names of the caller: a hundred problems stay within a few pages. */
export const pathCharsMax = 256

/**
 * A JSON Pointer (RFC 6901) of these segments: `~` becomes `~0`, `/` becomes `~1`. Callers choose the names of unknown
 * fields: a name as long as a whole path is cut before it is copied into a hundred problems.
 */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments.map(segment => `/${escaped(String(segment).slice(0, pathCharsMax))}`).join('')
}

const escaped = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1')
