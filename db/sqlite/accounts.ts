import { and, eq } from 'drizzle-orm'
import type { SealedChannel } from '../records.ts'
import type { Connection } from './open.ts'
import { channelColumns, isChannelThere } from './rows.ts'
import { channels, properties, users, workspaces } from './schema.ts'
import { forgetTotps, sealedTotps } from './secondFactor.ts'
import type { Verbs } from './verbs.ts'

export const hasWorkspace = (db: Connection['db'], id: string): boolean =>
  db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, id)).limit(1).get() !== undefined

const sealedColumns = {
  accessToken: 'sealedAccessToken',
  appSecret: 'sealedAppSecret',
  verifyToken: 'sealedVerifyToken',
} as const

/** The verbs of what an operator sets up. They are rare, so they use the query builder, which is easy to read. */
export function accountVerbs({ db }: Connection) {
  function sealAll({ check, channels: sealedChannels, at }: Parameters<Verbs['replaceSecrets']>[0]): void {
    const { value } = check
    db.insert(properties).values(check).onConflictDoUpdate({ target: properties.name, set: { value } }).run()
    for (const { id, sealedAccessToken, sealedAppSecret, sealedVerifyToken } of sealedChannels) {
      db.update(channels)
        .set({ sealedAccessToken, sealedAppSecret, sealedVerifyToken, updatedAt: at })
        .where(eq(channels.id, id))
        .run()
    }
  }

  return {
    claimProperty({ name, value }) {
      db.insert(properties).values({ name, value }).onConflictDoNothing().run()
      return db.select().from(properties).where(eq(properties.name, name)).limit(1).get()?.value ?? value
    },

    putProperty({ name, value }) {
      db.insert(properties)
        .values({ name, value })
        .onConflictDoUpdate({ target: properties.name, set: { value } })
        .run()
    },

    createWorkspace: workspace => db.insert(workspaces).values(workspace).returning().get(),

    renameWorkspace: ({ workspaceId, name }) =>
      db.update(workspaces).set({ name }).where(eq(workspaces.id, workspaceId)).returning().get() ?? null,

    setMonthlyLimit: ({ workspaceId, limit }) =>
      db
        .update(workspaces)
        .set({ monthlyMessageLimit: limit })
        .where(eq(workspaces.id, workspaceId))
        .returning()
        .get() ?? null,

    connectChannel(channel) {
      if (!hasWorkspace(db, channel.workspaceId)) return null
      const { sealedAccessToken, sealedAppSecret, sealedVerifyToken, updatedAt, appId } = channel
      return db
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
        .returning(channelColumns)
        .get()
    },

    setAppId({ channelId, appId, at }) {
      const channel = and(eq(channels.id, channelId), isChannelThere)
      return db.update(channels).set({ appId, updatedAt: at }).where(channel).returning(channelColumns).get() ?? null
    },

    replaceSecret({ channelId, secret, sealed, at }) {
      const set = { [sealedColumns[secret]]: sealed, updatedAt: at }
      const channel = and(eq(channels.id, channelId), isChannelThere)
      return db.update(channels).set(set).where(channel).returning(channelColumns).get() ?? null
    },

    replaceSecrets(change) {
      forgetTotps(db)
      sealAll(change)
    },

    rotateSecrets({ formerCheck, former, formerTotps, totps, ...change }) {
      const check = db.select().from(properties).where(eq(properties.name, change.check.name)).limit(1).get()
      const there = db.select(channelColumns).from(channels).where(isChannelThere).all()
      const isAsRead = ({ id, ...sealed }: SealedChannel) =>
        former.some(
          channel =>
            channel.id === id &&
            channel.sealedAccessToken === sealed.sealedAccessToken &&
            channel.sealedAppSecret === sealed.sealedAppSecret &&
            channel.sealedVerifyToken === sealed.sealedVerifyToken,
        )
      const areTotpsAsRead = sealedTotps(db).every(({ userId, sealedTotpSecret }) =>
        formerTotps.some(totp => totp.userId === userId && totp.sealedTotpSecret === sealedTotpSecret),
      )
      if (check?.value !== formerCheck || !there.every(isAsRead) || !areTotpsAsRead) return false
      for (const { userId, sealedTotpSecret } of totps) {
        db.update(users).set({ sealedTotpSecret }).where(eq(users.id, userId)).run()
      }
      sealAll(change)
      return true
    },
  } satisfies Partial<Verbs>
}
