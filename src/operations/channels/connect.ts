import type { Channel } from '../../../db/contract/records.ts'
import type { Store } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import type { Credentials } from '../../base/credentials.ts'
import { newId, randomBase62 } from '../../base/ids.ts'

/** 32 base62 characters hold 190 bits: enough for a token that is only ever compared. */
const verifyTokenLength = 32

export interface ConnectedAccount {
  readonly channel: Channel
  readonly verifyToken: string
  /** Without it, callbacks are refused. */
  readonly hasAppSecret: boolean
  /** Whether the account was connected before: its secrets are replaced. */
  readonly wasKnown: boolean
}

/**
 * Connects an account, or replaces the secrets of a connected one. Secrets are sealed for one channel id. If somebody
 * else connects the same account at the same moment, its id is used, and the secrets are sealed again for it.
 * @returns null when there is no such workspace
 */
export async function connectChannel(
  parts: { store: Pick<Store, 'read' | 'write'>; credentials: Credentials; clock: Pick<Clock, 'now'> },
  account: {
    workspaceId: string
    accountId: string
    /** Undefined: the stored one stays. */
    appId: string | undefined
    accessToken: string
    /** Undefined: the stored one stays; if there is none, all callbacks are refused until it is set. */
    appSecret: string | undefined
    /**
     * Undefined: the stored one stays, because the upstream's callback setup uses it; if there is none, a random one is
     * made.
     */
    verifyToken: string | undefined
  },
): Promise<ConnectedAccount | null> {
  const { store, credentials, clock } = parts
  const { workspaceId, accountId, appId, accessToken } = account
  const known = (await store.read.channels(workspaceId)).find(channel => channel.accountId === accountId)
  const kept = () => (known ? credentials.open(known, 'verifyToken') : randomBase62(verifyTokenLength))
  const verifyToken = account.verifyToken ?? kept()
  const appSecret = account.appSecret ?? (known ? credentials.open(known, 'appSecret') : '')
  const now = clock.now()
  const connectAs = (id: string) => {
    const sealed = credentials.seal(id, { accessToken, appSecret, verifyToken })
    const app = appId === undefined ? {} : { appId }
    return store.write.connectChannel({ id, workspaceId, accountId, ...app, ...sealed, createdAt: now, updatedAt: now })
  }
  const channelId = known?.id ?? newId('chan')
  const first = await connectAs(channelId)
  const channel = first === null || first.id === channelId ? first : await connectAs(first.id)
  return channel && { channel, verifyToken, hasAppSecret: appSecret !== '', wasKnown: known !== undefined }
}
