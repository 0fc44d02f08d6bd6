import { and, desc, eq, gte, type SQL } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { isDeletion } from '../../src/message/kinds.ts'
import { originalIn } from '../../src/message/naming.ts'
import { tokenOf } from '../../src/message/sameMessage.ts'
import { isChange } from '../schema/contacts.ts'
import { type Engine, selectedThrough } from './engine.ts'

/** Changes and deletions that one page looks at: people make few. */
const changesMax = 2_000
/** With more than that, so many of each person, the newest: a hundred people have a page at most. */
const changesOfEachMin = 100

/** What a person did to an earlier message, without the new text: thousands of those would be many megabytes. */
export interface Change {
  readonly contactId: string | null
  readonly lineId: string | null
  readonly channelMessageId: string
  readonly seq: number
  readonly kind: string
  readonly at: EpochMs
  /** What it changes or deletes, by the upstream's id; null: it does not say so in a way that can be read. */
  readonly original: string | null
}

/** What some people changed and deleted. */
export interface Changes {
  /** In the order in which they did it. */
  readonly all: readonly Change[]
  /** Whether all is known that this person did since. */
  isWhole(asked: Asked): boolean
}

/** What may have been done to a message of a person. */
interface Asked {
  readonly contactId: string | null
  readonly since: EpochMs
}

/** Finds what people did to their messages, along the index of changes: bounded, and it says where it was cut off. */
export function inboundChanges({ db, tables: { inboundMessages }, conditions, isAnyOf, through }: Engine) {
  const { contactId, lineId, channelMessageId, seq, kind, at } = inboundMessages

  const changesWhere = (condition: SQL | undefined) =>
    db
      .select({
        ...selectedThrough({ contactId, lineId, channelMessageId, seq, kind, at }),
        original: conditions.originalPart,
      })
      .from(through(inboundMessages, 'inbound_messages_changes'))
      .where(and(isChange, condition))

  return async (asked: readonly Asked[]): Promise<Changes> => {
    const sinceOf = new Map<string, EpochMs>()
    for (const { contactId: id, since } of asked)
      if (id !== null) sinceOf.set(id, Math.min(since, sinceOf.get(id) ?? since))
    if (sinceOf.size === 0) return { all: [], isWhole: () => true }
    const isOneOf = and(isAnyOf(contactId, [...sinceOf.keys()]), gte(at, Math.min(...sinceOf.values())))
    let rows = await changesWhere(isOneOf).limit(changesMax + 1)
    /** Of whom there is more, how far back it was read. */
    const readTo = new Map<string, EpochMs>()
    if (rows.length > changesMax) {
      rows = []
      const share = Math.max(changesOfEachMin, Math.floor(changesMax / sinceOf.size))
      for (const [id, since] of sinceOf) {
        const newest = await changesWhere(and(eq(contactId, id), gte(at, since)))
          .orderBy(desc(at))
          .limit(share + 1)
        const last = newest[share]
        if (last) readTo.set(id, last.at)
        rows.push(...newest)
      }
    }
    const all = rows.map((row): Change => ({ ...row, seq: Number(row.seq), original: originalIn(row.original) }))
    all.sort((one, other) => one.at - other.at || one.seq - other.seq)
    // Of those of that moment, some may not have been read.
    return { all, isWhole: ({ contactId: id, since }) => since > (readTo.get(id ?? '') ?? -Infinity) }
  }
}

/** One text for all ids of a message: its token alone, also where two messages have it. */
export const nameOf = (id: string): string => tokenOf(id) ?? id

/**
 * Who deletes a message wants nobody to read it: neither that one nor what it became, however the deletion names it. So
 * it is looked at generously: by the token alone, on whichever line, and along edits of edits. Of a person who deleted
 * anything, an edit that does not say of what it is one may be of that.
 * @returns whether a message of a person is one that the person deleted
 */
export function deletedBy(changes: readonly Change[]) {
  const keyOf = ({ contactId }: Pick<Change, 'contactId'>, id: string) => `${contactId} ${nameOf(id)}`
  const deletions = changes.filter(({ kind }) => isDeletion(kind))
  const originals = new Map<string, string>()
  for (const change of changes) {
    const { original, channelMessageId } = change
    if (original !== null) originals.set(keyOf(change, channelMessageId), keyOf(change, original))
  }
  /** This message, and what it is an edit of. */
  function chainFrom(key: string): ReadonlySet<string> {
    const chain = new Set<string>()
    for (let next: string | undefined = key; next !== undefined && !chain.has(next); next = originals.get(next))
      chain.add(next)
    return chain
  }
  const deleters = new Set(deletions.map(({ contactId }) => contactId))
  const gone = new Set(
    changes.flatMap(change => {
      const { contactId, channelMessageId, original, kind } = change
      const isOfUnknown = original === null && !isDeletion(kind) && deleters.has(contactId)
      if (isOfUnknown) return keyOf(change, channelMessageId)
      return original !== null && isDeletion(kind) ? [...chainFrom(keyOf(change, original))] : []
    }),
  )
  return (message: Pick<Change, 'contactId' | 'channelMessageId'>): boolean =>
    gone.size > 0 && !gone.isDisjointFrom(chainFrom(keyOf(message, message.channelMessageId)))
}
