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

/**
 * Where the example of a media header is, as the sandbox keeps it; a listing puts its own address in front.
 * @param format of the header, in any case
 */
export const exampleAddress = (format: string | undefined, name: string) =>
  `${files}${(format ?? 'image').toLowerCase()}/${encodeURIComponent(name)}`

export const isExampleAddress = (address: unknown): address is string =>
  typeof address === 'string' && address.startsWith(files)
