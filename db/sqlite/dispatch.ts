import { eq, sql } from 'drizzle-orm'
import { messageContents, messageEvents } from '../schema/messages.ts'
import type { Connection } from './open.ts'
import type { Verbs } from './verbs.ts'

const seqOf = (messageId: string) => sql<number>`(SELECT seq FROM messages WHERE id = ${messageId})`

/** The verbs of waiting messages, many at a time. Each message moves through the one state machine. */
export function dispatchVerbs({ db }: Connection, recordEvent: Verbs['recordEvent']) {
  return {
    clearMessages({ messageIds, at }) {
      const dispatched = { event: { kind: 'dispatched', at }, detail: null, recordedAt: at } as const
      return messageIds.filter(messageId => recordEvent({ messageId, ...dispatched })?.status === 'QUEUED')
    },

    deferMessages({ messages: deferred, at }) {
      for (const { messageId, payload, refusal } of deferred) {
        const view = recordEvent({ messageId, event: { kind: 'deferred' }, detail: null, recordedAt: at })
        if (refusal) {
          const detail = JSON.stringify(refusal)
          const entry = { messageSeq: seqOf(messageId), kind: 'deferred', at, recordedAt: at, detail }
          db.insert(messageEvents).values(entry).run()
        }
        // What a callback has settled meanwhile is never sent again: its content stays what was sent.
        if (payload !== null && view?.status === 'QUEUED') {
          db.update(messageContents)
            .set({ payload })
            .where(eq(messageContents.messageSeq, seqOf(messageId)))
            .run()
        }
      }
      return null
    },
  } satisfies Partial<Verbs>
}
