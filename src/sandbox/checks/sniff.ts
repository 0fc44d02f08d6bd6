import { mediaBytesMax, stillStickerBytesMax } from '../../base/upstreamLimits.ts'

/** The kinds of media, the types each may have, and how large (docs/upstream.md#media). */
export const MEDIA_KINDS = {
  image: { types: ['image/jpeg', 'image/png'], bytesMax: mediaBytesMax.image },
  video: { types: ['video/mp4', 'video/3gpp'], bytesMax: mediaBytesMax.video },
  audio: { types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], bytesMax: mediaBytesMax.audio },
  document: {
    types: [
      'text/plain',
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
    bytesMax: mediaBytesMax.document,
  },
  sticker: { types: ['image/webp'], bytesMax: mediaBytesMax.sticker },
} as const satisfies Record<string, { types: readonly string[]; bytesMax: number }>

export type FileKind = keyof typeof MEDIA_KINDS

const kinds: readonly FileKind[] = ['image', 'video', 'audio', 'document', 'sticker']

/** @returns the kind that a type belongs to, or nothing when the upstream takes no such files. */
export function fileKindOf(mimeType: string): FileKind | undefined {
  return kinds.find(kind => MEDIA_KINDS[kind].types.some(type => type === mimeType))
}

const latin = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** @returns where the head of Opus begins in a file of Ogg; -1: there is none */
const opusAt = (bytes: Uint8Array) => (latin(bytes, 0, 4) === 'OggS' ? latin(bytes, 0, 64).indexOf('OpusHead') : -1)
/** A voice message has one channel (RFC 7845 5.1: their number stands behind the magic words and the version). */
export const isMonoOpus = (bytes: Uint8Array) => opusAt(bytes) > 0 && bytes[opusAt(bytes) + 9] === 1

/** The signatures at the start of a file, by type; office files share two containers. */
const signatures: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  'image/jpeg': bytes => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff,
  'image/png': bytes => latin(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
  'image/webp': bytes => latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP',
  'video/mp4': bytes => latin(bytes, 4, 8) === 'ftyp',
  'video/3gpp': bytes => latin(bytes, 4, 8) === 'ftyp',
  'audio/mp4': bytes => latin(bytes, 4, 8) === 'ftyp',
  'audio/ogg': bytes => opusAt(bytes) > 0,
  'audio/amr': bytes => latin(bytes, 0, 5) === '#!AMR',
  'audio/aac': bytes => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0,
  'audio/mpeg': bytes => latin(bytes, 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  'application/pdf': bytes => latin(bytes, 0, 5) === '%PDF-',
  'text/plain': bytes => !bytes.subarray(0, 1_024).includes(0),
}
const oldOffice = (bytes: Uint8Array) =>
  bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0
const newOffice = (bytes: Uint8Array) => latin(bytes, 0, 4) === 'PK\x03\x04'

/** @returns how large a file of this kind may be: a sticker that does not move less than one that does. */
export function bytesMaxOf(kind: FileKind, bytes: Uint8Array): number {
  return kind === 'sticker' && !isAnimated(bytes) ? stillStickerBytesMax : MEDIA_KINDS[kind].bytesMax
}

/** A WebP file moves where its extended header says so; a plain one has no such header. */
const isAnimated = (bytes: Uint8Array) => latin(bytes, 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 0x02) !== 0

/** @returns whether the first bytes fit the declared type. */
export function isOfType(mimeType: string, bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false
  const signature = signatures[mimeType]
  if (signature) return signature(bytes)
  return mimeType.includes('openxmlformats') ? newOffice(bytes) : oldOffice(bytes)
}
