import { pathCharsMax } from '../base/errors.ts'

/**
 * A JSON Pointer (RFC 6901) of these segments: `~` becomes `~0`, `/` becomes `~1`. Callers choose the names of unknown
 * fields: a name as long as a whole path is cut before it is copied into a hundred problems.
 */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments.map(segment => `/${escaped(String(segment).slice(0, pathCharsMax))}`).join('')
}

const escaped = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1')
