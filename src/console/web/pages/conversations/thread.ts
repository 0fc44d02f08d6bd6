import { isCancelled } from '../../../../message/statuses.ts'
import type { ConversationEntry, ConversationPage } from './queries.ts'

/** What stands in a conversation: a message with the reactions to it. */
export interface ThreadItem {
  readonly entry: ConversationEntry
  readonly at: string
  readonly reactions: readonly { readonly isOurs: boolean; readonly emoji: string }[]
  /** It is the first one of its day. */
  readonly isNewDay: boolean
  /** The line from or to which it was sent, where it is another one than before; null: nothing is to be said of it. */
  readonly newLine: string | null
  /** What it answers can be gone to. */
  readonly isQuoteLoaded: boolean
}

/** @returns where it stands: what was to wait for its time stands there, behind all that is said before */
const placeOf = ({ sent, at }: ConversationEntry): string =>
  sent === null || isCancelled(sent.status) ? at : (sent.sendAt ?? at)

/** A reaction that was sent through the gateway is told as one that was made in the app. */
const saidIn = ({ said, sent }: ConversationEntry) => said ?? sent?.said ?? null

/**
 * @param entries oldest first
 * @returns them in the order in which they are said, with the last reaction of each side on what it is for. One to a
 *   message that is not loaded stands alone
 */
export function threadOf(entries: readonly ConversationEntry[]): ThreadItem[] {
  const known = new Set(entries.map(({ channelMessageId }) => channelMessageId))
  const reactions = new Map<string, Map<boolean, string | null>>()
  const isAttached = (entry: ConversationEntry) => {
    const said = saidIn(entry)
    return said?.type === 'reaction' && said.about !== null && known.has(said.about)
  }
  for (const entry of entries) {
    const { isOurs } = entry
    const said = saidIn(entry)
    if (!said?.about || !isAttached(entry)) continue
    const of = reactions.get(said.about) ?? new Map<boolean, string | null>()
    reactions.set(said.about, of.set(isOurs, said.text))
  }
  let day = ''
  let line: string | null = null
  const isOfSeveral = new Set(entries.flatMap(({ lineId }) => lineId ?? [])).size > 1
  return entries
    .filter(entry => !isAttached(entry))
    .map(entry => ({ entry, at: placeOf(entry) }))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ entry, at }) => {
      const before = day
      day = new Date(at).toDateString()
      const lineBefore = line
      line = entry.lineId ?? line
      const of = reactions.get(entry.channelMessageId ?? '') ?? []
      return {
        ...{ entry, at },
        reactions: [...of].flatMap(([isOurs, emoji]) => (emoji === null ? [] : [{ isOurs, emoji }])),
        isNewDay: day !== before,
        newLine: isOfSeveral && line !== lineBefore ? line : null,
        isQuoteLoaded: entry.quoted !== null && known.has(entry.quoted.channelMessageId),
      }
    })
}

/**
 * @param page the newest
 * @param items all that is loaded
 * @returns what of the person's is unread, in the order of its numbers; null: some of it is not loaded
 */
export function unreadOf(
  { unreadFrom }: Pick<ConversationPage, 'unreadFrom'>,
  items: readonly ThreadItem[],
  hasOlder: boolean,
): { readonly id: string; readonly upTo: number }[] | null {
  if (unreadFrom === null) return []
  const isReached = ({ entry }: ThreadItem) => Date.parse(entry.at) < Date.parse(unreadFrom.at)
  if (hasOlder && !items.some(isReached)) return null
  return items
    .flatMap(({ entry: { id, number } }) =>
      number !== null && number >= unreadFrom.number ? [{ id, upTo: number }] : [],
    )
    .sort((one, other) => one.upTo - other.upTo)
}
