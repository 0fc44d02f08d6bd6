import { and, desc, eq, gt } from 'drizzle-orm'
import type { InboundReads } from '../inbound.ts'
import type { Engine } from './engine.ts'

export function inboundReads({ db, tables: { inboundMessages } }: Engine): InboundReads {
  const { contactId, lineId, kind, at, recordedAt } = inboundMessages
  return {
    inboundTimes: async ({ contactId: id, since, limit }) =>
      await db
        .select({ lineId, kind, at, recordedAt })
        .from(inboundMessages)
        .where(and(eq(contactId, id), gt(at, since)))
        .orderBy(desc(at))
        .limit(limit),
  }
}
