import { and, eq } from 'drizzle-orm'
import type { Workspace } from '../contract/accounts.ts'
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
    columns: { channelColumns, workspaceColumns },
    conditions: { isChannelThere },
  } = engine
  const findWorkspace = (id: string) => first(db.select(workspaceColumns).from(workspaces).where(eq(workspaces.id, id)))
  const change = (id: string, set: Partial<Workspace>) =>
    first(db.update(workspaces).set(set).where(eq(workspaces.id, id)).returning(workspaceColumns))

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
          .returning(workspaceColumns),
      ),

    renameWorkspace: ({ workspaceId, name }) => change(workspaceId, { name }),

    setDeletedMessages: ({ workspaceId, deletedMessages }) => change(workspaceId, { deletedMessages }),

    setQuietHours: ({ workspaceId, quietHours }) => change(workspaceId, { quietHours }),

    setOptOuts: ({ workspaceId, ...settings }) => change(workspaceId, settings),

    async setMonthlyLimit({ workspaceId, limit }) {
      const ceiling = (await findWorkspace(workspaceId))?.monthlyCeiling ?? null
      if (ceiling !== null && (limit === null || limit > ceiling)) return { outcome: 'aboveCeiling', ceiling }
      const workspace = await change(workspaceId, { monthlyMessageLimit: limit })
      return workspace === null ? { outcome: 'missing' } : { outcome: 'changed', workspace }
    },

    async setMonthlyCeiling({ workspaceId, ceiling }) {
      const before = await findWorkspace(workspaceId)
      if (before === null) return null
      const own = before.monthlyMessageLimit === before.monthlyCeiling ? null : before.monthlyMessageLimit
      const monthlyMessageLimit = own === null || ceiling === null ? (own ?? ceiling) : Math.min(own, ceiling)
      return change(workspaceId, { monthlyMessageLimit, monthlyCeiling: ceiling })
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
