import { and, eq, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { secondMs } from '../../src/base/durations.ts'
import { field, parseObject, text } from '../../src/base/json.ts'
import { digestOf } from '../../src/message/forgotten.ts'
import { ownMarketingKind } from '../../src/message/kinds.ts'
import { type OwnWords, type Wish, type WishSource, wishIn } from '../../src/message/optOut.ts'
import { eventAbout, type NewEvent } from '../contract/events.ts'
import type { Contact } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'
import { toldContact } from './identities.ts'

interface Said {
  readonly value: Wish
  readonly source: WishSource
  /** The message that says it; null: none does. */
  readonly channelMessageId: string | null
  readonly at: EpochMs
  readonly recordedAt: EpochMs
}

/** What is kept of a wish that was said here, beside when. */
export interface OwnWish extends Pick<Said, 'value' | 'source'> {
  readonly category: 'marketing_messages'
  /** The digest of the id of the message that made it so; null: none did. */
  readonly since: string | null
}

/**
 * What people say of marketing by words, and who works for them in their place. It stands beside what the platform
 * tells, as one more update of the contact: both are merged and erased with it. The caller has locked the contacts.
 */
export function optOuts({ db, tables: { upstreamUpdates } }: Engine) {
  /** @param told gets the event, if it changes anything */
  async function keep(contact: Contact, { value, source, channelMessageId, ...said }: Said, told: NewEvent[]) {
    const { id: subject, workspaceId } = contact
    // A clock that is ahead must not make it the last word for ever.
    const at = Math.min(said.at, said.recordedAt)
    const isIt = and(eq(upstreamUpdates.subject, subject), eq(upstreamUpdates.kind, ownMarketingKind))
    const last = await first(db.select().from(upstreamUpdates).where(isIt))
    // What a person wrote has whole seconds, and a member's act has not: within one second, a stop is the later one.
    if (last && last.at > (value === 'stop' ? at + secondMs - 1 : at)) return
    const before = last && parseObject(last.detail)
    const isChanged = (text(field(before, 'value')) ?? 'resume') !== value
    const since = isChanged ? channelMessageId && digestOf(channelMessageId) : text(field(before, 'since'))
    const wish: OwnWish = { category: 'marketing_messages', value, source, since }
    const row = { at, recordedAt: said.recordedAt, detail: JSON.stringify(wish) }
    await db
      .insert(upstreamUpdates)
      .values({ subject, kind: ownMarketingKind, ...row })
      .onConflictDoUpdate({ target: [upstreamUpdates.subject, upstreamUpdates.kind], set: row })
    if (!isChanged) return
    const preference = { category: wish.category, value, detail: null, source }
    const data = { contact: toldContact(contact), preference }
    const type = 'contact.preference_changed'
    told.push(eventAbout(subject, { workspaceId, type, at, recordedAt: row.recordedAt, data }))
  }

  return {
    keep,

    /** A person wrote this, and nothing else: it may be one of the words of the workspace. */
    async hear(
      contact: Contact,
      words: OwnWords,
      { said, ...when }: { said: string } & Pick<Said, 'at' | 'recordedAt'> & { channelMessageId: string },
      told: NewEvent[],
    ): Promise<void> {
      const wish = wishIn(said, words)
      if (!wish) return
      const source: WishSource = { kind: 'word', word: wish.word, by: null }
      await keep(contact, { value: wish.value, source, ...when }, told)
    },
  }
}

export const optOutVerbs = (engine: Engine) =>
  ({
    async setWish({ workspaceId, contactId, at, ...wish }) {
      const { db, tables, columns } = engine
      const { contacts } = tables
      await engine.lockContacts([workspaceId])
      // The one that a merged contact turned out to be, even if it is merged at this moment.
      const named = db.select({ id: sql`coalesce(${contacts.mergedInto}, ${contacts.id})` }).from(contacts)
      const isIt = and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, named.where(eq(contacts.id, contactId))))
      const contact = await first(db.select(columns.contactColumns).from(contacts).where(isIt))
      // Of who was forgotten, nothing is known to look for: it would be an opt-out that holds nobody back.
      if (!contact || (contact.phone === null && contact.userId === null)) return null
      const told: NewEvent[] = []
      await optOuts(engine).keep(contact, { ...wish, channelMessageId: null, at, recordedAt: at }, told)
      await engine.tell(told)
      return { contact, isChanged: told.length > 0 }
    },
  }) satisfies Partial<StoreWrites>
