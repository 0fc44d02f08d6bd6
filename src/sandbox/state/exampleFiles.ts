interface ExampleFile {
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** One pixel: the smallest file that is what it says. */
const pixel = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
)
const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

/** A file of each kind: what users send, and what the examples of templates show. */
export const exampleFiles: Readonly<Record<string, ExampleFile>> = {
  image: { mimeType: 'image/png', bytes: pixel },
  video: { mimeType: 'video/mp4', bytes: latin('\0\0\0\x18ftypmp42') },
  audio: { mimeType: 'audio/ogg', bytes: latin('OggS OpusHead') },
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
