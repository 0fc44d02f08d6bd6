/** A year: the usual lifetime of what never changes. */
const yearSeconds = 31_536_000

/** For a file whose address names its content: another content has another address. */
export const immutable = `public, max-age=${yearSeconds}, immutable`

/** RFC 9110 8.8.3 and 13.1.2: whether the browser has this content, and the answer is 304. */
export function isKnown(request: Pick<Request, 'headers'>, entityTag: string): boolean {
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  return known.some(tag => tag.trim().replace(/^W\//, '') === entityTag)
}

/** RFC 9110 12.5.3: whether the browser takes a content in this coding. */
export function acceptsCoding(request: Request, coding: string): boolean {
  const accepted = request.headers.get('accept-encoding') ?? ''
  return accepted.split(',').some(part => {
    const [name = '', ...parameters] = part.split(';').map(word => word.trim().toLowerCase())
    return name === coding && !parameters.some(parameter => /^q\s*=\s*0(\.0*)?$/.test(parameter))
  })
}
