import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { lineName } from '../../src/base/direction.ts'
import type { StoreReads } from '../contract/store.ts'
import { type Engine, first, prepared } from './engine.ts'

type AccountReads = Pick<
  StoreReads,
  | 'property'
  | 'workspaces'
  | 'workspace'
  | 'keys'
  | 'channels'
  | 'removedNames'
  | 'callbackReceipts'
  | 'template'
  | 'templateListed'
  | 'templateStep'
  | 'templateGenerations'
  | 'templates'
>

/**
 * The lists of an operator's workspaces, channels, lines and templates. What decides on a send is read by lookups.ts.
 */
export function accountReads({
  db,
  tables: { apiKeys, callbackReceipts, channels, lines, properties, templates, webhookEndpoints, workspaces },
  columns: { channelColumns, templateColumns, keyColumns, workspaceColumns },
  conditions: { isChannelThere },
  isAnyOf,
}: Engine): AccountReads {
  const workspaceWithId = prepared(() =>
    db
      .select(workspaceColumns)
      .from(workspaces)
      .where(eq(workspaces.id, sql.placeholder('id'))),
  )
  return {
    property: async name => (await first(db.select().from(properties).where(eq(properties.name, name))))?.value ?? null,

    workspaces: async () => await db.select(workspaceColumns).from(workspaces).orderBy(asc(workspaces.id)),

    workspace: id => first(workspaceWithId({ id })),

    keys: async workspaceId =>
      await db
        .select(keyColumns)
        .from(apiKeys)
        .where(eq(apiKeys.workspaceId, workspaceId))
        .orderBy(asc(apiKeys.createdAt), asc(apiKeys.seq)),

    channels: async workspaceId =>
      await db
        .select(channelColumns)
        .from(channels)
        .where(and(isChannelThere, workspaceId === null ? undefined : eq(channels.workspaceId, workspaceId)))
        .orderBy(asc(channels.id)),

    async removedNames({ workspaceId, ids }) {
      if (ids.length === 0) return new Map()
      const isIt = (of: typeof lines | typeof channels | typeof webhookEndpoints) =>
        and(isAnyOf(of.id, ids), eq(of.workspaceId, workspaceId), isNotNull(of.removedAt))
      const { id, number, label } = lines
      const ofLines = await db.select({ id, number, label }).from(lines).where(isIt(lines))
      const { id: channelId, accountId } = channels
      const ofChannels = await db.select({ id: channelId, accountId }).from(channels).where(isIt(channels))
      const { id: webhookId, description, url } = webhookEndpoints
      const webhooks = db.select({ id: webhookId, description, url }).from(webhookEndpoints)
      const ofWebhooks = await webhooks.where(isIt(webhookEndpoints))
      return new Map([
        ...ofLines.map(line => [line.id, lineName(line)] as const),
        ...ofChannels.map(channel => [channel.id, channel.accountId] as const),
        ...ofWebhooks.map(webhook => [webhook.id, webhook.description ?? webhook.url] as const),
      ])
    },

    callbackReceipts: async () => await db.select().from(callbackReceipts).orderBy(asc(callbackReceipts.channelId)),

    template: id => first(db.select().from(templates).where(eq(templates.id, id))),

    templateListed: ({ workspaceId, upstreamId }) =>
      first(
        db
          .select(templateColumns)
          .from(channels)
          .innerJoin(templates, and(eq(templates.channelId, channels.id), eq(templates.upstreamId, upstreamId)))
          .where(and(eq(channels.workspaceId, workspaceId), isChannelThere, ne(templates.status, 'DELETED'))),
      ),

    templateStep: async ({ channelId, after, limit }) =>
      await db
        .select(templateColumns)
        .from(templates)
        .where(
          and(
            eq(templates.channelId, channelId),
            after ? sql`(${templates.name}, ${templates.language}) > (${after.name}, ${after.language})` : undefined,
          ),
        )
        .orderBy(asc(templates.name), asc(templates.language))
        .limit(limit),

    templateGenerations: async workspaceId =>
      await db
        .select({ channelId: channels.id, generation: channels.templateGeneration })
        .from(channels)
        .where(and(eq(channels.workspaceId, workspaceId), isChannelThere))
        .orderBy(asc(channels.id)),

    templates: async ({ workspaceId, approved, name }) =>
      await db
        .select(templateColumns)
        .from(templates)
        .innerJoin(channels, eq(channels.id, templates.channelId))
        .where(
          and(
            eq(channels.workspaceId, workspaceId),
            isChannelThere,
            approved ? eq(templates.status, 'APPROVED') : ne(templates.status, 'DELETED'),
            name === undefined ? undefined : eq(templates.name, name),
          ),
        )
        .orderBy(asc(templates.name), asc(templates.language), asc(templates.id)),
  }
}
