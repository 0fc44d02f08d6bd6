/** A JSON Pointer (RFC 6901) of these segments: `~` becomes `~0`, `/` becomes `~1`. */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments.map(segment => `/${escaped(String(segment))}`).join('')
}

const escaped = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1')
