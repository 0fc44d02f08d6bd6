import { and, eq } from 'drizzle-orm'
import type { StoreWrites } from '../contract/store.ts'
import { changed, type Engine, first } from './engine.ts'

export const hasWorkspace = async ({ db, tables: { workspaces } }: Engine, id: string): Promise<boolean> =>
  (await first(db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, id)))) !== null

/** What a new workspace has, where those that were there before have something else. */
export const newWorkspaceSettings = { onOptOut: 'refuse' } as const

/** The verbs for what an operator sets up. */
export function accountVerbs(engine: Engine) {
  const {
    db,
    tables: { channels, properties, workspaces },
    columns: { channelColumns },
    conditions: { isChannelThere },
  } = engine
  const findWorkspace = (id: string) => first(db.select().from(workspaces).where(eq(workspaces.id, id)))

  return {
    async claimProperty({ name, value }) {
      await db.insert(properties).values({ name, value }).onConflictDoNothing()
      return (await first(db.select().from(properties).where(eq(properties.name, name))))?.value ?? value
    },

    async putProperty({ name, value }) {
      await db
        .insert(properties)
        .values({ name, value })
        .onConflictDoUpdate({ target: properties.name, set: { value } })
    },

    createWorkspace: workspace =>
      changed(
        db
          .insert(workspaces)
          .values({ ...workspace, ...newWorkspaceSettings, monthlyCeiling: workspace.monthlyMessageLimit })
          .returning(),
      ),

    renameWorkspace: ({ workspaceId, name }) =>
      first(db.update(workspaces).set({ name }).where(eq(workspaces.id, workspaceId)).returning()),

    setDeletedMessages: ({ workspaceId, deletedMessages }) =>
      first(db.update(workspaces).set({ deletedMessages }).where(eq(workspaces.id, workspaceId)).returning()),

    setQuietHours: ({ workspaceId, quietHours }) =>
      first(db.update(workspaces).set({ quietHours }).where(eq(workspaces.id, workspaceId)).returning()),

    setOptOuts: ({ workspaceId, ...change }) =>
      first(db.update(workspaces).set(change).where(eq(workspaces.id, workspaceId)).returning()),

    async setMonthlyLimit({ workspaceId, limit }) {
      const ceiling = (await findWorkspace(workspaceId))?.monthlyCeiling ?? null
      if (ceiling !== null && (limit === null || limit > ceiling)) return { outcome: 'aboveCeiling', ceiling }
      const workspace = await first(
        db.update(workspaces).set({ monthlyMessageLimit: limit }).where(eq(workspaces.id, workspaceId)).returning(),
      )
      return workspace === null ? { outcome: 'missing' } : { outcome: 'changed', workspace }
    },

    async setMonthlyCeiling({ workspaceId, ceiling }) {
      const before = await findWorkspace(workspaceId)
      if (before === null) return null
      const own = before.monthlyMessageLimit === before.monthlyCeiling ? null : before.monthlyMessageLimit
      const monthlyMessageLimit = own === null || ceiling === null ? (own ?? ceiling) : Math.min(own, ceiling)
      return first(
        db
          .update(workspaces)
          .set({ monthlyMessageLimit, monthlyCeiling: ceiling })
          .where(eq(workspaces.id, workspaceId))
          .returning(),
      )
    },

    async connectChannel(channel) {
      if (!(await hasWorkspace(engine, channel.workspaceId))) return null
      const { sealedAccessToken, sealedAppSecret, sealedVerifyToken, updatedAt, appId } = channel
      return first(
        db
          .insert(channels)
          .values(channel)
          .onConflictDoUpdate({
            target: [channels.workspaceId, channels.accountId],
            targetWhere: isChannelThere,
            set: {
              sealedAccessToken,
              sealedAppSecret,
              sealedVerifyToken,
              updatedAt,
              ...(typeof appId === 'string' && { appId }),
            },
          })
          .returning(channelColumns),
      )
    },

    setAppId({ channelId, appId, at }) {
      const channel = and(eq(channels.id, channelId), isChannelThere)
      return first(db.update(channels).set({ appId, updatedAt: at }).where(channel).returning(channelColumns))
    },
  } satisfies Partial<StoreWrites>
}
