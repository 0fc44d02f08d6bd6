import { and, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { isAtLeast } from '../contract/roles.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { Engine } from './engine.ts'

/** How people sort conversations: open or done, and who takes care of one. */
export const conversationStateVerbs = ({ db, tables: { contacts, memberships } }: Engine) => {
  const { heardSeq, doneSeq, takenBy: taker } = contacts
  const isIt = (of: { workspaceId: string; contactId: string }) =>
    and(eq(contacts.workspaceId, of.workspaceId), eq(contacts.id, of.contactId), isNotNull(heardSeq))
  const isDone = lte(heardSeq, doneSeq)
  return {
    async finishConversation({ upTo, ...of }) {
      const done = await db
        .update(contacts)
        .set({ doneSeq: sql`${heardSeq}`, readSeq: sql`${heardSeq}`, takenBy: null })
        .where(and(isIt(of), sql`heard_seq > done_seq`, lte(heardSeq, upTo)))
        .returning({ id: contacts.id })
      return done.length > 0
    },

    async reopenConversation(of) {
      const isReopened = and(isIt(of), isDone)
      return (await db.update(contacts).set({ doneSeq: 0 }).where(isReopened).returning({ id: contacts.id })).length > 0
    },

    async takeConversation({ takenBy, insteadOf, ...of }) {
      if (takenBy === insteadOf) return 'unchanged'
      const isMember = and(eq(memberships.workspaceId, of.workspaceId), eq(memberships.userId, takenBy ?? ''))
      const [member] = await db.select({ role: memberships.role }).from(memberships).where(isMember)
      if (takenBy !== null && !(member && isAtLeast(member.role, 'member'))) return 'mayNotAnswer'
      const taken = await db
        .update(contacts)
        // What somebody takes is open.
        .set({ takenBy, ...(takenBy !== null && { doneSeq: sql`CASE WHEN ${isDone} THEN 0 ELSE ${doneSeq} END` }) })
        .where(and(isIt(of), insteadOf === null ? isNull(taker) : eq(taker, insteadOf)))
        .returning({ id: contacts.id })
      return taken.length > 0 ? 'changed' : 'othersMeanwhile'
    },
  } satisfies Partial<StoreWrites>
}
