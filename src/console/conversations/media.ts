import type { InboundFile } from '../../../db/contract/files.ts'
import { safeName } from '../../http/attachment.ts'
import { nameOf } from '../../http/fileAnswer.ts'
import type { Entry } from './schemas.ts'

type Media = NonNullable<NonNullable<Entry['said']>['media']>

/** What the browser may show by itself, by the types that the bytes show: no SVG, and nothing that has scripts. */
const ways: readonly (readonly [way: NonNullable<Media['shownAs']>, types: readonly string[]])[] = [
  ['image', ['image/jpeg', 'image/png', 'image/webp', 'image/gif']],
  ['audio', ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac']],
  ['video', ['video/mp4', 'video/3gpp']],
]

/** @param isDocument the person sent the file as a document: the page offers to save it, and never shows it */
export function shownMedia(file: InboundFile, isDocument: boolean): Media {
  const { id, state, mimeType, bytes } = file
  const way = ways.find(([, types]) => types.includes(mimeType ?? ''))?.[0] ?? null
  const shownAs = state === 'stored' && !isDocument ? way : null
  return { id, state, mimeType, bytes, saveAs: safeName(nameOf(file)), shownAs }
}
