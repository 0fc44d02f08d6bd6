import stored from './exampleFiles.json' with { type: 'json' }

interface ExampleFile {
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/**
 * A file of each kind, which browsers show and play: what users send, and what the examples of templates show. The
 * video and the sound take a second.
 */
export const exampleFiles: Readonly<Record<string, ExampleFile>> = Object.fromEntries(
  Object.entries(stored).map(([kind, { mimeType, base64 }]) => [
    kind,
    { mimeType, bytes: new Uint8Array(Buffer.from(base64, 'base64')) },
  ]),
)

const files = '/sandbox/files/'

/** All but the last one of several dots, and what an address would encode. */
const unplain = /\.(?=.*\.)|[^\w.-]/g

/**
 * Where the example of a media header is, as the sandbox keeps it; a listing puts its own address in front.
 * @param format of the header, in any case; a GIF is a video
 */
export const exampleAddress = (format: string | undefined, name: string) =>
  `${files}${(format ?? 'image').toLowerCase().replace('gif', 'video')}/${name.replace(unplain, '_')}`

export const isExampleAddress = (address: unknown): address is string =>
  typeof address === 'string' && address.startsWith(files)
