import { and, eq } from 'drizzle-orm'
import type { SealedChannel } from '../contract/records.ts'
import type { SecretWrites } from '../contract/secrets.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'
import { forgetTotps, sealedTotps } from './secondFactor.ts'
import { sealedWebhooks } from './webhookReads.ts'
import { forgetWebhookSecrets } from './webhooks.ts'

const sealedColumns = {
  accessToken: 'sealedAccessToken',
  appSecret: 'sealedAppSecret',
  verifyToken: 'sealedVerifyToken',
} as const

/** The verbs of what is sealed. */
export function secretVerbs(engine: Engine) {
  const {
    db,
    tables: { channels, properties, users, webhookEndpoints },
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
    replaceSecret({ channelId, secret, sealed, at }) {
      const set = { [sealedColumns[secret]]: sealed, updatedAt: at }
      const channel = and(eq(channels.id, channelId), isChannelThere)
      return first(db.update(channels).set(set).where(channel).returning(channelColumns))
    },

    async replaceSecrets(change) {
      await forgetTotps(engine)
      await forgetWebhookSecrets(engine, change.at)
      await sealAll(change)
    },

    async rotateSecrets({ formerCheck, former, formerTotps, totps, formerWebhooks, webhooks, ...change }) {
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
      const areWebhooksAsRead = (await sealedWebhooks(engine)).every(({ id, sealedSecrets, sealedHeaders }) =>
        formerWebhooks.some(
          former =>
            former.id === id && former.sealedSecrets === sealedSecrets && former.sealedHeaders === sealedHeaders,
        ),
      )
      const isAllAsRead = there.every(isAsRead) && areTotpsAsRead && areWebhooksAsRead
      if (check?.value !== formerCheck || !isAllAsRead) return false
      for (const { userId, sealedTotpSecret } of totps) {
        await db.update(users).set({ sealedTotpSecret }).where(eq(users.id, userId))
      }
      for (const { id, ...sealed } of webhooks) {
        await db.update(webhookEndpoints).set(sealed).where(eq(webhookEndpoints.id, id))
      }
      await sealAll(change)
      return true
    },
  } satisfies SecretWrites
}
