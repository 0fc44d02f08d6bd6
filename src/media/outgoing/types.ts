import { mediaBytesMax } from '../../base/upstreamLimits.ts'
import type { FileType } from '../../message/words.ts'

/** The first bytes of a file, enough to recognise its type: the head of Ogg names codec and channels behind byte 28. */
export const headBytes = 64
/** So many show that a file has another format than one that is no sound. */
const signatureBytes = 16

/** What a file is uploaded as. A voice message is a sound of one form (docs/upstream.md#media). */
export type UploadFormat = FileType | 'voice'

export const bytesMaxOf = (format: UploadFormat): number => mediaBytesMax[format === 'voice' ? 'audio' : format]

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
const ogg: Signature = { mime: 'audio/ogg', offset: 0, bytes: ascii('OggS') }
const sounds: readonly Signature[] = [
  ogg,
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

/** The platform takes no other codec in Ogg, and wants it named. */
const opusType = 'audio/ogg; codecs=opus'

/** @returns the channels of Opus in Ogg (RFC 7845 5.1: behind the magic words and the version); 0: another codec */
function opusChannels(head: Buffer): number {
  const at = fits(head, ogg) ? head.indexOf('OpusHead') : -1
  return at < 0 ? 0 : (head[at + 9] ?? 0)
}

/**
 * Recognises a file by its first bytes, because servers often declare a wrong type and the upstream refuses a type that
 * does not match the bytes. The declared type decides only where the bytes do not.
 * @param file in pieces, in their order
 * @param declared the `Content-Type` that came with it
 * @returns the type to upload it as, or null when it is none that this format allows (docs/upstream.md#media)
 */
export function mediaType(format: UploadFormat, file: readonly Uint8Array[], declared: string | null): string | null {
  // A shorter file is padded with zeros, which no signature has.
  const head = Buffer.concat(file, headBytes)
  switch (format) {
    case 'image':
      return images.find(signature => fits(head, signature))?.mime ?? null
    case 'video':
      return videos.find(signature => fits(head, signature))?.mime ?? null
    case 'voice':
      return opusChannels(head) === 1 ? opusType : null
    case 'audio':
      if (fits(head, ogg)) return opusChannels(head) > 0 ? opusType : null
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

/** @returns after how many bytes `mayBe` can be asked. What sends no more than that yet may be slow. */
export const judgedBytes = (format: UploadFormat): number =>
  format === 'audio' || format === 'voice' ? headBytes : signatureBytes

/** @returns false as soon as the head of a file shows that it has another format. A text has no signature. */
export function mayBe(format: UploadFormat, head: readonly Uint8Array[]): boolean {
  return format === 'document' || mediaType(format, head, null) !== null
}

const formatNames: Readonly<Record<UploadFormat, string>> = {
  image: 'a JPEG or PNG image',
  video: 'an MP4 or 3GPP video',
  document: 'a PDF, Word, Excel, PowerPoint or text document',
  audio: 'a sound in AAC, AMR, MP3, MP4 or Ogg with Opus',
  voice: 'a voice message, which is Opus in Ogg with one channel',
  sticker: 'a WebP picture',
}

/** What browsers record. The bytes do not say whether there is a picture. */
const webm: Signature = { mime: 'WebM', offset: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] }

/** @returns what completes the sentence "the file …" when it has another type than its format allows */
export function wrongType(format: UploadFormat, file: readonly Uint8Array[]): string {
  const head = Buffer.concat(file, headBytes)
  const channels = opusChannels(head)
  const sniffed = sniffedType(head, null)
  const shown = fits(head, webm)
    ? webm.mime
    : fits(head, ogg)
      ? `Ogg with ${channels > 0 ? `Opus in ${channels} channels` : 'another codec than Opus'}`
      : sniffed
  return `is not ${formatNames[format]}${shown === anyBytes ? '' : `: it is ${shown}`}`
}
