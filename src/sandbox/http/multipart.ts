/** One part of a form. */
export interface FormPart {
  readonly name: string
  /** The part's own `Content-Type`, without parameters; empty where it has none. */
  readonly type: string
  /** Of a file, as the form says; null: the part is no file. */
  readonly fileName: string | null
  readonly bytes: Buffer
}

/** A media upload has three or four parts. */
const partsMax = 20

/**
 * Reads a `multipart/form-data` body (RFC 7578). The runtime's own `formData()` takes a file's type from its name and
 * drops the part's `Content-Type`, and that header is just what the upstream looks at.
 * @returns the parts, or nothing when the body is no such form
 */
export function readMultipart(contentType: string, bytes: Buffer): readonly FormPart[] | undefined {
  const [, quoted, plain] = /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const mark = Buffer.from(`\r\n--${boundary}`)
  // The first boundary stands at the very start: with a line break in front all of them look alike.
  const body = Buffer.concat([Buffer.from('\r\n'), bytes])
  const parts: FormPart[] = []
  let at = body.indexOf(mark)
  while (at >= 0 && parts.length < partsMax) {
    const start = at + mark.length
    if (body.subarray(start, start + 2).toString('latin1') === '--') return parts
    const next = body.indexOf(mark, start)
    const headEnd = body.indexOf('\r\n\r\n', start)
    if (next < 0 || headEnd < 0 || headEnd > next) return undefined
    const part = partOf(body.subarray(start, headEnd).toString(), body.subarray(headEnd + 4, next))
    if (!part) return undefined
    parts.push(part)
    at = next
  }
  return undefined
}

function partOf(head: string, bytes: Buffer): FormPart | undefined {
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? ''
  const name = /[;\s]name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined) return undefined
  const type = /^content-type:\s*([^;\r\n]*)/im.exec(head)?.[1]?.trim().toLowerCase() ?? ''
  const fileName = /[;\s]filename\*?="?([^";]*)/i.exec(disposition)?.[1] ?? null
  return { name, type, fileName, bytes }
}
