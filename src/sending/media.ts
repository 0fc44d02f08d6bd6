import type { Line } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import { type Issue, invalid, type Refusal } from '../base/errors.ts'
import { OutcomeUnknown, Unavailable } from '../base/unavailable.ts'
import type { FreeformFile } from '../freeform/content.ts'
import { failureReason, type UpstreamFault } from '../graph/answer.ts'
import { type FileSource, knownName, nameOf } from '../media/outgoing/fetch.ts'
import type { MediaLibrary } from '../media/outgoing/library.ts'
import type { UploadFormat } from '../media/outgoing/types.ts'
import type { Upload } from '../media/outgoing/upload.ts'
import type { FileType } from '../message/words.ts'
import { type PlacedFile, unnamedDocument } from '../templates/media.ts'
import type { Rendered } from '../templates/renderComponents.ts'
import { isKeptFile } from '../templates/values.ts'
import { busy, fileRefused } from './refusals.ts'
import type { Stopped } from './sendKey.ts'

export interface PlaceParts {
  readonly read: Pick<StoreReads, 'file'>
  readonly media: Pick<MediaLibrary, 'place' | 'fileOf'>
  /** Called before the upstream is asked for something. @returns why it is not */
  readonly beforeAsking: () => Promise<Stopped | null>
}

/** The line that a file is uploaded to. */
export interface LineAccess {
  readonly line: Line
  readonly accessToken: string
}

interface Refused {
  readonly ok: false
  readonly refusal: Refusal
}

type NotPlaced = Refused | { readonly ok: false; readonly stopped: Stopped }

interface Placed {
  readonly ok: true
  /** By what names them in the components. */
  readonly files: ReadonlyMap<string, PlacedFile>
  /** Of those that were uploaded from here. */
  readonly mediaIds: readonly string[]
}

/** A file, what it must be, and the field of the send body that gave it. */
interface FileSlot {
  readonly path: string
  readonly source: FileSource
  readonly format: UploadFormat
}

/**
 * The file of a free-form message. Of one that was uploaded before and is kept here, the name is known. As a voice
 * message it is uploaded once more, so that it is looked at.
 * @returns `id`: the upstream's, on that line
 */
export async function placeFile(
  parts: PlaceParts,
  to: LineAccess,
  asked: FreeformFile,
): Promise<(PlacedFile & { readonly ok: true; readonly mediaIds: readonly string[] }) | NotPlaced> {
  const { link, mediaId = '' } = asked
  const format = asked.type === 'audio' && asked.voice === true ? 'voice' : asked.type
  const path = link === undefined ? '/mediaId' : '/link'
  let named = link ?? mediaId
  if (link === undefined && !isKeptFile(mediaId)) {
    const isAsked = format === 'voice' || (asked.type === 'document' && asked.fileName === undefined)
    const uploaded = isAsked ? await uploadedFile(parts, to.line, mediaId) : null
    if (!uploaded || format !== 'voice')
      return { ok: true, id: mediaId, name: uploaded?.fileName ?? null, mediaIds: [] }
    named = uploaded.id
  }
  const slot = await slotOf(parts.read, to.line, { path, link: named, format })
  if (!slot.ok) return slot
  const placed = await placeUnlessStopped(parts, to, [slot])
  if (!placed.ok) return placed
  return { ok: true, id: placed.mediaIds[0] ?? '', name: knownName(slot.source), mediaIds: placed.mediaIds }
}

/** The files of a template: what is to be uploaded, and the name of a document that was uploaded before. */
export async function placeMentioned(
  parts: PlaceParts,
  to: LineAccess,
  { components, media }: Extract<Rendered, { ok: true }>,
): Promise<Placed | NotPlaced> {
  const unnamed = unnamedDocument(components)
  const name = unnamed === null ? null : ((await uploadedFile(parts, to.line, unnamed))?.fileName ?? null)
  const known: [string, PlacedFile][] = unnamed === null ? [] : [[unnamed, { id: unnamed, name }]]
  if (media.length === 0) return { ok: true, files: new Map(known), mediaIds: [] }
  const slots: FileSlot[] = []
  for (const each of media) {
    const slot = await slotOf(parts.read, to.line, each)
    if (!slot.ok) return slot
    slots.push(slot)
  }
  const placed = await placeUnlessStopped(parts, to, slots)
  return placed.ok ? { ...placed, files: new Map([...placed.files, ...known]) } : placed
}

/** @returns the file that is kept here of one that a client uploaded by the platform's own call; null: none */
async function uploadedFile({ read, media }: Pick<PlaceParts, 'read' | 'media'>, line: Line, mediaId: string) {
  const uploaded = await media.fileOf(mediaId, [line])
  return uploaded && read.file({ workspaceId: line.workspaceId, fileId: uploaded.fileId })
}

async function slotOf(
  read: PlaceParts['read'],
  { workspaceId }: Line,
  { path, link, format }: { readonly path: string; readonly link: string; readonly format: UploadFormat },
): Promise<(FileSlot & { readonly ok: true }) | Refused> {
  if (!isKeptFile(link)) return { ok: true, path, format, source: { kind: 'link', link } }
  const file = await read.file({ workspaceId, fileId: link })
  if (!file) {
    const message = `${path.slice(1)} names no file of this workspace.`
    return { ok: false, refusal: { reason: 'NOT_FOUND', message } }
  }
  const { id, state, bytes, mimeType, fileName } = file
  if (state === 'stored' && bytes !== null)
    return { ok: true, path, format, source: { kind: 'kept', id, bytes, mimeType, fileName } }
  return { ok: false, refusal: invalid([{ path, message: `names a file that is not stored: ${state}` }]) }
}

async function placeUnlessStopped({ media, beforeAsking }: PlaceParts, to: LineAccess, slots: readonly FileSlot[]) {
  const stopped = await beforeAsking()
  return stopped ? ({ ok: false, stopped } as const) : placeAll(media, to, slots)
}

/** Uploads all files to the line, in parallel. All files that fail are named in one refusal. */
async function placeAll(
  media: Pick<MediaLibrary, 'place'>,
  { line, accessToken }: LineAccess,
  slots: readonly FileSlot[],
): Promise<Placed | Refused> {
  const upload = (slot: FileSlot) => media.place(line, accessToken, slot.source, slot.format)
  let uploads: readonly { readonly slot: FileSlot; readonly upload: Upload }[]
  try {
    uploads = await Promise.all(slots.map(async slot => ({ slot, upload: await upload(slot) })))
  } catch (error) {
    // The sender thread stops or has died. No message exists yet.
    if (!(error instanceof Unavailable || error instanceof OutcomeUnknown)) throw error
    return { ok: false, refusal: busy('The file could not be uploaded.') }
  }
  const files = new Map<string, PlacedFile>()
  const issues: Issue[] = []
  for (const { slot, upload } of uploads) {
    switch (upload.kind) {
      case 'uploaded':
        files.set(nameOf(slot.source), { id: upload.mediaId, name: knownName(slot.source) })
        break
      case 'unavailable':
        issues.push({ path: slot.path, message: `the file ${upload.why}` })
        break
      case 'refused':
        if (upload.fault.fault === 'upstream') return { ok: false, refusal: uploadRefusal(upload.fault) }
        issues.push({
          path: slot.path,
          message: `${fileRefused}: ${failureReason(upload.fault)}`,
        })
        break
      case 'unreachable':
        return { ok: false, refusal: uploadRefusal(null) }
      case 'busy':
        return { ok: false, refusal: busy('Too many files are being uploaded at the same time.') }
    }
  }
  if (issues.length > 0) return { ok: false, refusal: invalid(issues) }
  return { ok: true, files, mediaIds: Array.from(files.values(), ({ id }) => id) }
}

/** Uploads a file that is kept here to a line. @returns the upstream's id of it there, or why there is none */
export async function placeKept(
  media: MediaLibrary,
  to: LineAccess,
  { type: format, ...file }: Omit<Extract<FileSource, { kind: 'kept' }>, 'kind'> & { readonly type: FileType },
): Promise<{ readonly ok: true; readonly mediaId: string } | Refused> {
  const placed = await placeAll(media, to, [{ path: '/file', source: { kind: 'kept', ...file }, format }])
  return placed.ok ? { ok: true, mediaId: placed.mediaIds[0] ?? '' } : placed
}

/** The upstream or its credentials are at fault. Nothing was sent and no message exists. */
function uploadRefusal(fault: UpstreamFault | null): Refusal {
  const why = fault ? failureReason(fault) : 'it could not be reached'
  return {
    reason: 'CHANNEL_GRAPH_ERROR',
    status: 502,
    message: `The upstream platform did not take the file: ${why}`,
    details: {
      code: fault?.code ?? null,
      subcode: fault?.subcode ?? null,
      title: fault?.title ?? null,
      details: fault?.details ?? null,
      traceId: fault?.traceId ?? null,
      retryable: fault?.retryable ?? true,
    },
  }
}
