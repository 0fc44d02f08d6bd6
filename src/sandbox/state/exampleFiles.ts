import { crc32, deflateSync } from 'node:zlib'

interface ExampleFile {
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** A picture that a person sees: from light to dark green. */
function greenPng(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  // Eight bits for each of red, green and blue.
  head.set([8, 2], 8)
  // Each line begins with a filter: none.
  const line = (y: number) => [0, ...Array.from({ length: width }, () => [60, 200 - (y * 120) / height, 90]).flat()]
  const lines = Buffer.from(Array.from({ length: height }, (_, y) => line(y)).flat())
  const begin = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const parts = [begin, chunk('IHDR', head), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat(parts))
}
const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

/** A file of each kind: what users send, and what the examples of templates show. */
export const exampleFiles: Readonly<Record<string, ExampleFile>> = {
  image: { mimeType: 'image/png', bytes: greenPng(160, 100) },
  video: { mimeType: 'video/mp4', bytes: latin('\0\0\0\x18ftypmp42') },
  audio: { mimeType: 'audio/ogg', bytes: latin(`OggS${'\0'.repeat(22)}\x01\x13OpusHead\x01\x01`) },
  document: { mimeType: 'application/pdf', bytes: latin('%PDF-1.4\n%%EOF\n') },
  sticker: { mimeType: 'image/webp', bytes: latin('RIFF\0\0\0\0WEBP') },
}

const files = '/sandbox/files/'

/**
 * Where the example of a media header is, as the sandbox keeps it; a listing puts its own address in front.
 * @param format of the header, in any case
 */
export const exampleAddress = (format: string | undefined, name: string) =>
  `${files}${(format ?? 'image').toLowerCase()}/${encodeURIComponent(name)}`

export const isExampleAddress = (address: unknown): address is string =>
  typeof address === 'string' && address.startsWith(files)
