import type { WorkspaceEvent } from '../../../db/contract/events.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { field, text } from '../../base/json.ts'
import { saidOf } from '../../inbound/said.ts'
import { wordsOf } from '../../message/content.ts'
import { wordsCharsMax } from '../messages/view.ts'

/** Whom an event is about, as a list of deliveries names it. */
export interface About {
  /** Of the message that was sent; null: it is about none. */
  readonly messageId: string | null
  readonly contactId: string | null
  /** The name of the person, else the number or user id; null: not known, or forgotten. */
  readonly name: string | null
  /** The first ones of the message, else the name of its template; null: it has none, or they are not kept. */
  readonly words: string | null
}

type Read = Pick<StoreReads, 'contactsAt' | 'messageContents' | 'numberedEvents' | 'searchMessages'>

/**
 * What some events are about, by their numbers: four statements, however many there are. What is about no person, and
 * what is not kept any more, is not among them.
 */
export async function aboutEvents(
  read: Read,
  workspaceId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, About>> {
  if (seqs.length === 0) return new Map()
  const events = await read.numberedEvents({ workspaceId, seqs })
  const sent = await sentOf(read, workspaceId, events)
  const addressOf = ({ message, inbound }: WorkspaceEvent) =>
    message ? (sent.get(message.id)?.recipient ?? null) : (inbound?.phone ?? inbound?.userId ?? null)
  const addresses = [...new Set(events.flatMap(event => addressOf(event) ?? []))]
  const contacts = await read.contactsAt({ workspaceId, addresses })
  return new Map(
    events.flatMap((event): [number, About][] => {
      const { seq, message, inbound, data } = event
      const told = field(data, 'contact')
      const address = addressOf(event)
      const contact = address === null ? undefined : contacts.get(address)
      const contactId = contact?.id ?? inbound?.contactId ?? text(field(told, 'id'))
      const name = contact?.name ?? inbound?.name ?? text(field(told, 'name')) ?? address ?? text(field(told, 'phone'))
      const messageId = message?.id ?? null
      if (messageId === null && contactId === null && name === null) return []
      const said = inbound ? saidOf({ kind: inbound.kind, content: inbound.content }).text : null
      const words = (message ? sent.get(message.id)?.words : said)?.slice(0, wordsCharsMax) || null
      return [[seq, { messageId, contactId, name, words }]]
    }),
  )
}

async function sentOf(read: Read, workspaceId: string, events: readonly WorkspaceEvent[]) {
  const ids = [...new Set(events.flatMap(({ message }) => message?.id ?? []))]
  if (ids.length === 0) return new Map<string, Pick<About, 'words'> & { readonly recipient: string }>()
  const search = { workspaceId, ids, direction: 'older', limit: ids.length, scan: ids.length } as const
  const [{ messages }, contents] = await Promise.all([read.searchMessages(search), read.messageContents(ids)])
  return new Map(
    messages.map(({ id, recipient, templateName }) => {
      const payload = contents.get(id)
      return [id, { recipient, words: (payload === undefined ? null : wordsOf(payload).main) ?? templateName }]
    }),
  )
}
