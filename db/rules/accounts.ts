import { and, eq } from 'drizzle-orm'
import type { SealedChannel } from '../records.ts'
import type { StoreWrites } from '../store.ts'
import { changed, type Engine, first } from './engine.ts'
import { forgetTotps, sealedTotps } from './secondFactor.ts'

export const hasWorkspace = async ({ db, tables: { workspaces } }: Engine, id: string): Promise<boolean> =>
  (await first(db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, id)))) !== null

const sealedColumns = {
  accessToken: 'sealedAccessToken',
  appSecret: 'sealedAppSecret',
  verifyToken: 'sealedVerifyToken',
} as const

/** The verbs for what an operator sets up. */
export function accountVerbs(engine: Engine) {
  const {
    db,
    tables: { channels, properties, users, workspaces },
    columns: { channelColumns },
    conditions: { isChannelThere },
  } = engine
  async function sealAll({ check, channels: sealedChannels, at }: Parameters<StoreWrites['replaceSecrets']>[0]) {
    const { value } = check
    await db.insert(properties).values(check).onConflictDoUpdate({ target: properties.name, set: { value } })
    for (const { id, sealedAccessToken, sealedAppSecret, sealedVerifyToken } of sealedChannels) {
      await db
        .update(channels)
        .set({ sealedAccessToken, sealedAppSecret, sealedVerifyToken, updatedAt: at })
        .where(eq(channels.id, id))
    }
  }

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

    createWorkspace: workspace => changed(db.insert(workspaces).values(workspace).returning()),

    renameWorkspace: ({ workspaceId, name }) =>
      first(db.update(workspaces).set({ name }).where(eq(workspaces.id, workspaceId)).returning()),

    setMonthlyLimit: ({ workspaceId, limit }) =>
      first(
        db.update(workspaces).set({ monthlyMessageLimit: limit }).where(eq(workspaces.id, workspaceId)).returning(),
      ),

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

    replaceSecret({ channelId, secret, sealed, at }) {
      const set = { [sealedColumns[secret]]: sealed, updatedAt: at }
      const channel = and(eq(channels.id, channelId), isChannelThere)
      return first(db.update(channels).set(set).where(channel).returning(channelColumns))
    },

    async replaceSecrets(change) {
      await forgetTotps(engine)
      await sealAll(change)
    },

    async rotateSecrets({ formerCheck, former, formerTotps, totps, ...change }) {
      const check = await first(db.select().from(properties).where(eq(properties.name, change.check.name)))
      const there = await db.select(channelColumns).from(channels).where(isChannelThere)
      const isAsRead = ({ id, ...sealed }: SealedChannel) =>
        former.some(
          channel =>
            channel.id === id &&
            channel.sealedAccessToken === sealed.sealedAccessToken &&
            channel.sealedAppSecret === sealed.sealedAppSecret &&
            channel.sealedVerifyToken === sealed.sealedVerifyToken,
        )
      const areTotpsAsRead = (await sealedTotps(engine)).every(({ userId, sealedTotpSecret }) =>
        formerTotps.some(totp => totp.userId === userId && totp.sealedTotpSecret === sealedTotpSecret),
      )
      if (check?.value !== formerCheck || !there.every(isAsRead) || !areTotpsAsRead) return false
      for (const { userId, sealedTotpSecret } of totps) {
        await db.update(users).set({ sealedTotpSecret }).where(eq(users.id, userId))
      }
      await sealAll(change)
      return true
    },
  } satisfies Partial<StoreWrites>
}
