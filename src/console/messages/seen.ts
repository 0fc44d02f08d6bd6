import type { InboundFile } from '../../../db/contract/files.ts'
import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { safeName } from '../../base/fileName.ts'
import { field, parseObject, text } from '../../base/json.ts'
import { isFreeform } from '../../freeform/content.ts'
import { downloadName } from '../../http/fileAnswer.ts'
import { saidOf } from '../../inbound/said.ts'
import { mediaIdsIn } from '../../message/media.ts'
import { type Bubble, bubblesOf } from '../../templates/bubble.ts'
import type { Said, ShownBubble, ShownFile } from './schemas.ts'

/** What the browser may show by itself, by the types that the bytes show: no SVG, and nothing that has scripts. */
const ways: readonly (readonly [way: NonNullable<ShownFile['shownAs']>, types: readonly string[]])[] = [
  ['image', ['image/jpeg', 'image/png', 'image/webp', 'image/gif']],
  ['audio', ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac']],
  ['video', ['video/mp4', 'video/3gpp']],
]

/** @param isDocument it was sent as a document: the page offers to save it, and never shows it */
export function shownFile(file: InboundFile, isDocument: boolean): ShownFile {
  const { id, state, mimeType, bytes } = file
  const way = ways.find(([, types]) => types.includes(mimeType ?? ''))?.[0] ?? null
  const shownAs = state === 'stored' && !isDocument ? way : null
  return { id, state, mimeType, bytes, saveAs: safeName(downloadName(file)), shownAs }
}

/** What an id of the upstream's stands for: a file that is kept here, or a link that the file was fetched from. */
type FileOf = (mediaId: string | null) => { readonly link: string | null; readonly file: InboundFile | null }

const nothingSeen = { template: null, bubble: null, said: null }

/**
 * @param contents their requests, by their ids
 * @returns a function that shows each of the messages as its recipient sees it. Their files are read at once
 */
export async function seenOf(
  read: Pick<StoreReads, 'sentFiles' | 'templatesNamed'>,
  workspaceId: string,
  messages: readonly Pick<Message, 'lineId'>[],
  contents: ReadonlyMap<string, string>,
) {
  const mediaIds = new Set([...contents.values()].flatMap(payload => [...mediaIdsIn(parseObject(payload))]))
  const lineIds = [...new Set(messages.map(({ lineId }) => lineId))]
  const found = await read.sentFiles({ workspaceId, lineIds, mediaIds: [...mediaIds] })
  const known = new Map(found.map(sent => [`${sent.lineId} ${sent.mediaId}`, sent]))
  const bubbleFor = bubblesOf(read)
  return async (message: Pick<Message, 'id' | 'lineId' | 'channelId' | 'type'>) => {
    const payload = contents.get(message.id)
    if (payload === undefined) return nothingSeen
    const fileOf: FileOf = mediaId => known.get(`${message.lineId} ${mediaId}`) ?? { link: null, file: null }
    const { template, bubble } = await bubbleFor(message, payload)
    return { template, bubble: bubble && shownBubble(bubble, fileOf), said: sentParts(message, payload, fileOf) }
  }
}

function shownBubble({ files: { header, cards }, ...bubble }: Bubble, fileOf: FileOf): ShownBubble {
  const shown = ({ link, id }: typeof header, { kind }: Bubble['draft']['header']) => {
    const { link: fetched, file } = fileOf(id)
    return { link: link ?? fetched, file: file && shownFile(file, kind === 'document') }
  }
  const { draft } = bubble
  const none = { kind: 'none' } as const
  return {
    ...bubble,
    files: {
      header: shown(header, draft.header),
      cards: cards.map((card, at) => shown(card, draft.cards[at]?.header ?? none)),
    },
  }
}

/** @returns the parts that a page shows of a message that was sent as the upstream has them; null for any other */
function sentParts({ type }: Pick<Message, 'type'>, payload: string, fileOf: FileOf): Said | null {
  if (!isFreeform(type)) return null
  const content = parseObject(payload) ?? {}
  const said = saidOf({ kind: type, content })
  const { link, file } = fileOf(text(field(content[type], 'id')))
  const fileName = text(field(content[type], 'filename')) ?? file?.fileName ?? null
  const files = file ? [shownFile({ ...file, fileName }, type === 'document')] : []
  return { ...said, link: said.link ?? link, files }
}
