import {
  and,
  asc,
  type Column,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { WebhookDeliveryReads } from '../contract/webhookDelivery.ts'
import type { Delivery, DeliveryState, SealedWebhook, WebhookEndpoint, WebhookReads } from '../contract/webhooks.ts'
import { without } from './columns.ts'
import { type Engine, first, prepared, selectedThrough } from './engine.ts'
import { eventReads } from './events.ts'

/** What the tables have of endpoints and deliveries, as people and the engine see it. */
export function webhookColumns({ tables: { webhookDeliveries, webhookEndpoints } }: Engine) {
  const webhook = without(getTableColumns(webhookEndpoints), 'instanceSeq', 'removedAt')
  const delivery = without(getTableColumns(webhookDeliveries), 'step')
  return {
    webhook: webhook satisfies Readonly<Record<keyof WebhookEndpoint, Column>>,
    delivery: delivery satisfies Readonly<Record<keyof Delivery, Column>>,
    isThere: isNull(webhookEndpoints.removedAt),
    isOn: and(isNull(webhookEndpoints.removedAt), isNull(webhookEndpoints.disabledAt)),
  }
}

/** Of all endpoints, those whose secrets are lost left out. */
export async function sealedWebhooks({ db, tables: { webhookEndpoints } }: Engine): Promise<SealedWebhook[]> {
  const { id, sealedSecrets, sealedHeaders } = webhookEndpoints
  const isSealed = or(isNotNull(sealedSecrets), isNotNull(sealedHeaders))
  return await db.select({ id, sealedSecrets, sealedHeaders }).from(webhookEndpoints).where(isSealed)
}

export function webhookReads(engine: Engine): WebhookReads & WebhookDeliveryReads {
  const { db, isAnyOf, listed, tables, through } = engine
  const { channels, lines, webhookDeliveries, webhookEndpoints } = tables
  const { delivery: deliveryColumns, webhook: columns, isThere, isOn } = webhookColumns(engine)
  const { endpointId, messageSeq, nextAt, seq, state, step } = webhookDeliveries
  const { numberedEvents } = eventReads(engine)
  // The words of the partial index.
  const isOpen = (wanted: 'pending' | 'failed') => and(sql`state <> 'delivered'`, eq(state, wanted))

  // Asked with each page of events.
  const id = sql.placeholder('id')
  const webhook = prepared(() =>
    db
      .select(columns)
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.id, id), isThere)),
  )
  // Asked with each attempt of the platform's format.
  const address = prepared(() =>
    db
      .select({ accountId: channels.accountId, upstreamPhoneId: lines.upstreamPhoneId, number: lines.number })
      .from(lines)
      .innerJoin(channels, eq(channels.id, lines.channelId))
      .where(eq(lines.id, sql.placeholder('lineId'))),
  )
  const isWithin = and(gt(seq, sql.placeholder('after')), lte(seq, sql.placeholder('upTo')))
  const numbers = prepared(() =>
    db
      .select({ seq })
      .from(webhookDeliveries)
      .where(and(eq(endpointId, id), isWithin)),
  )
  const openOf = prepared(() =>
    db
      .select(deliveryColumns)
      .from(webhookDeliveries)
      .where(
        and(
          sql`message_seq IS NOT NULL`,
          isAnyOf(messageSeq, sql.placeholder('messageSeqs')),
          // By no index: else all deliveries of the endpoint are read, however few these messages have.
          sql`coalesce(${endpointId}, '') = ${id}`,
          sql`coalesce(${state}, '') = 'pending'`,
        ),
      ),
  )

  // Asked once a second.
  const last = sql<number>`coalesce((SELECT max(events.seq) FROM events
    WHERE events.workspace_id = webhook_endpoints.workspace_id), 0)`
  const next = sql<number | null>`(SELECT min(next_at) FROM webhook_deliveries
    WHERE endpoint_id = webhook_endpoints.id AND next_at IS NOT NULL)`
  const openAmong = (isOne?: SQL) =>
    prepared(() =>
      db
        .select({ webhook: columns, lastEvent: last.mapWith(Number), nextAt: next.mapWith(Number) })
        .from(webhookEndpoints)
        .where(and(isOn, isOne))
        .orderBy(asc(webhookEndpoints.id)),
    )
  const openEndpoints = {
    all: openAmong(),
    some: openAmong(isAnyOf(webhookEndpoints.id, sql.placeholder('ids'))),
  }
  const dueOf = prepared(() =>
    db
      .select({ ...deliveryColumns, step })
      .from(webhookDeliveries)
      .where(and(eq(endpointId, id), sql`next_at IS NOT NULL`, lte(nextAt, sql.placeholder('at'))))
      .orderBy(asc(nextAt), asc(seq))
      .limit(sql.placeholder('limit')),
  )

  return {
    webhooks: async workspaceId =>
      await db
        .select(columns)
        .from(webhookEndpoints)
        .where(and(eq(webhookEndpoints.workspaceId, workspaceId), isThere))
        .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id)),

    webhook: id => first(webhook({ id })),

    deliveries: async ({ endpointId: id, state: wanted, before, limit }) => {
      const isFew = wanted === 'pending' || wanted === 'failed'
      const isWanted = isFew ? isOpen(wanted) : wanted && eq(state, wanted)
      return await db
        .select(selectedThrough(deliveryColumns))
        // Else SQLite goes along all deliveries of the endpoint until it has met enough of the few.
        .from(isFew ? through(webhookDeliveries, 'webhook_deliveries_open') : webhookDeliveries)
        .where(and(eq(endpointId, id), before === undefined ? undefined : lt(seq, before), isWanted))
        .orderBy(desc(seq))
        .limit(limit)
    },

    async lastStates({ workspaceId, limit }) {
      const states = sql<string | null>`(SELECT string_agg(state, ' ' ORDER BY seq DESC) FROM (
        SELECT state, seq FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id
        ORDER BY seq DESC LIMIT ${limit}) AS latest)`
      const rows = await db
        .select({ id: webhookEndpoints.id, states })
        .from(webhookEndpoints)
        .where(and(eq(webhookEndpoints.workspaceId, workspaceId), isThere))
      return new Map(rows.map(({ id, states }) => [id, (states?.split(' ') ?? []) as DeliveryState[]]))
    },

    delivery: ({ endpointId: id, seq: number }) =>
      first(
        db
          .select(deliveryColumns)
          .from(webhookDeliveries)
          .where(and(eq(endpointId, id), eq(seq, number))),
      ),

    openWebhooks: async ({ endpointIds }) =>
      await (endpointIds === null ? openEndpoints.all({}) : openEndpoints.some({ ids: listed(endpointIds) })),

    async dueDeliveries({ webhook, at, limit }) {
      const due = await dueOf({ id: webhook.id, at, limit })
      if (due.length === 0) return []
      const { workspaceId } = webhook
      const found = await numberedEvents({ workspaceId, seqs: due.map(({ seq }) => seq) })
      const byNumber = new Map(found.map(event => [event.seq, event]))
      return due.map(delivery => ({ ...delivery, event: byNumber.get(delivery.seq) ?? null }))
    },

    async knownDeliveries({ endpointId: id, after, upTo, messageSeqs }) {
      const known = await numbers({ id, after, upTo })
      const open = messageSeqs.length === 0 ? [] : await openOf({ id, messageSeqs: listed(messageSeqs) })
      return { seqs: known.map(({ seq }) => seq), open }
    },

    lineAddress: lineId => first(address({ lineId })),

    sealedWebhooks: () => sealedWebhooks(engine),

    async webhookStates() {
      const { failingSince, disabledAt, disabledReason } = webhookEndpoints
      const state = sql<
        'working' | 'failing' | 'disabled' | 'off'
      >`CASE WHEN ${disabledReason} = 'switchedOff' THEN 'off'
        WHEN ${disabledAt} IS NOT NULL THEN 'disabled' WHEN ${failingSince} IS NOT NULL THEN 'failing'
        ELSE 'working' END`
      const counted = await db.select({ state, count: count() }).from(webhookEndpoints).where(isThere).groupBy(sql`1`)
      const counts = { working: 0, failing: 0, disabled: 0, off: 0 }
      for (const { state, count } of counted) counts[state] = count
      // Of each endpoint that is on: the first event behind its position, and the first that is to be tried again.
      const waiting = (which: ReturnType<typeof sql>) => sql`(SELECT recorded_at FROM events
        WHERE events.workspace_id = webhook_endpoints.workspace_id AND events.seq ${which} ORDER BY events.seq LIMIT 1)`
      const firstOpen = sql`(SELECT min(seq) FROM webhook_deliveries
        WHERE endpoint_id = webhook_endpoints.id AND state <> 'delivered' AND state = 'pending')`
      const rows = await db
        .select({
          behind: sql<number | null>`${waiting(sql`> ${webhookEndpoints.position}`)}`.mapWith(Number),
          again: sql<number | null>`${waiting(sql`= ${firstOpen}`)}`.mapWith(Number),
        })
        .from(webhookEndpoints)
        .where(isOn)
      const times = rows.flatMap(({ behind, again }) => [behind, again]).filter(time => time !== null)
      return { ...counts, waitingSince: times.length === 0 ? null : Math.min(...times) }
    },
  }
}
