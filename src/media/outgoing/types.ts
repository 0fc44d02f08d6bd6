import type { FileType } from '../../message/words.ts'

/** The first bytes of a file, enough to recognise its type. */
export const headBytes = 16

interface Signature {
  readonly mime: string
  readonly offset: number
  readonly bytes: readonly number[]
}

const ascii = (text: string) => [...text].map(letter => letter.charCodeAt(0))

const images: readonly Signature[] = [
  { mime: 'image/jpeg', offset: 0, bytes: [0xff, 0xd8, 0xff] },
  { mime: 'image/png', offset: 0, bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] },
]
/** The brands of MP4 files that phones play. QuickTime, HEIC and AVIF use the same container and are refused. */
const mp4Brands = 'isom iso2 iso3 iso4 iso5 iso6 mp41 mp42 avc1 dash MSNV mmp4'.split(' ').concat('M4V ')
const videos: readonly Signature[] = [
  { mime: 'video/3gpp', offset: 4, bytes: ascii('ftyp3g') },
  ...mp4Brands.map(brand => ({ mime: 'video/mp4', offset: 4, bytes: ascii(`ftyp${brand}`) })),
]
const webp: Signature = { mime: 'image/webp', offset: 8, bytes: ascii('WEBP') }
const sounds: readonly Signature[] = [
  { mime: 'audio/ogg', offset: 0, bytes: ascii('OggS') },
  { mime: 'audio/amr', offset: 0, bytes: ascii('#!AMR') },
  { mime: 'audio/mpeg', offset: 0, bytes: ascii('ID3') },
  ...[0xfb, 0xf3, 0xf2].map(frame => ({ mime: 'audio/mpeg', offset: 0, bytes: [0xff, frame] })),
  ...[0xf1, 0xf9].map(frame => ({ mime: 'audio/aac', offset: 0, bytes: [0xff, frame] })),
  { mime: 'audio/mp4', offset: 4, bytes: ascii('ftypM4A') },
]
const pdf: Signature = { mime: 'application/pdf', offset: 0, bytes: ascii('%PDF-') }
/** Office files are archives or compound files. The bytes show only that; the declared type says which. */
const officeContainers: readonly Signature[] = [
  { mime: 'application/zip', offset: 0, bytes: ascii('PK\u0003\u0004') },
  { mime: 'application/x-ole-storage', offset: 0, bytes: [0xd0, 0xcf, 0x11, 0xe0] },
]
const officeTypes: readonly string[] = [
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]

const fits = (head: Uint8Array, { offset, bytes }: Signature) =>
  bytes.every((byte, index) => head[offset + index] === byte)

/**
 * Recognises a file by its first bytes, because servers often declare a wrong type and the upstream refuses a type that
 * does not match the bytes. The declared type decides only where the bytes do not.
 * @param file in pieces, in their order
 * @param declared the `Content-Type` that came with it
 * @returns the type to upload it as, or null when it is none that this format allows (docs/upstream.md#media)
 */
export function mediaType(format: FileType, file: readonly Uint8Array[], declared: string | null): string | null {
  // A shorter file is padded with zeros, which no signature has.
  const head = Buffer.concat(file, headBytes)
  switch (format) {
    case 'image':
      return images.find(signature => fits(head, signature))?.mime ?? null
    case 'video':
      return videos.find(signature => fits(head, signature))?.mime ?? null
    case 'audio':
      // The container of MP4 says not whether there is a picture; the upstream looks.
      return [...sounds, ...videos].find(signature => fits(head, signature))?.mime.replace('video/', 'audio/') ?? null
    case 'sticker':
      return fits(head, webp) ? webp.mime : null
    case 'document': {
      if (fits(head, pdf)) return pdf.mime
      const stated = declared?.split(';')[0]?.trim().toLowerCase() ?? ''
      if (officeContainers.some(signature => fits(head, signature)))
        return officeTypes.find(type => type === stated) ?? null
      return stated === 'text/plain' && !file.some(piece => piece.includes(0)) ? stated : null
    }
  }
}

const others: readonly Signature[] = [
  { mime: 'image/gif', offset: 0, bytes: ascii('GIF8') },
  webp,
  ...sounds,
  { mime: 'video/quicktime', offset: 4, bytes: ascii('ftypqt') },
]

/**
 * The type of a file that a user sent, so that it is never shown as what it is not.
 * @param head its first bytes
 * @param declared what the upstream says
 * @returns a type that the bytes show; that of any bytes where they show none
 */
export function sniffedType(head: Uint8Array, declared: string | null): string {
  const format = Buffer.concat([head], headBytes)
  const shown = [...images, ...videos, pdf, ...others].find(signature => fits(format, signature))
  return shown?.mime ?? mediaType('document', [head], declared === plainText ? null : declared) ?? anyBytes
}

/** @returns the type of a file that a caller gives: of a text and of Office's files, the declared one decides */
export const givenType = (head: Uint8Array, declared: string | null): string =>
  mediaType('document', [head], declared) ?? sniffedType(head, declared)

/** @returns the type of message that shows files of this type; undefined when none does */
export function sendableType(mimeType: string): FileType | undefined {
  if (images.some(({ mime }) => mime === mimeType)) return 'image'
  if (videos.some(({ mime }) => mime === mimeType)) return 'video'
  if (sounds.some(({ mime }) => mime === mimeType)) return 'audio'
  if (mimeType === webp.mime) return 'sticker'
  return [pdf.mime, plainText, ...officeTypes].includes(mimeType) ? 'document' : undefined
}

const plainText = 'text/plain'
const anyBytes = 'application/octet-stream'

/** @returns false as soon as the head of a file shows that it has another format. A text has no signature. */
export function mayBe(format: FileType, head: readonly Uint8Array[]): boolean {
  return format === 'document' || mediaType(format, head, null) !== null
}
