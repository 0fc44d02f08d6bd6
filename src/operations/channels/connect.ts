import type { Channel } from '../../../db/contract/records.ts'
import type { Store } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import type { Credentials } from '../../base/credentials.ts'
import { newId, randomBase62 } from '../../base/ids.ts'
import type { ChannelClient } from '../../graph/client.ts'
import { type Actor, conflict, existing, Refused } from '../act.ts'
import { readNumbers } from './channels.ts'
import { type AccountNumber, matchLines } from './numbers.ts'

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

/** An account, with the secrets that connect it. */
export interface AccountSecrets {
  readonly workspaceId: string
  readonly accountId: string
  /** Undefined: the stored one stays. */
  readonly appId: string | undefined
  readonly accessToken: string
  /** Undefined: the stored one stays; if there is none, all callbacks are refused until it is set. */
  readonly appSecret: string | undefined
  /**
   * Undefined: the stored one stays, because the upstream's callback setup uses it; if there is none, a random one is
   * made.
   */
  readonly verifyToken: string | undefined
}

/**
 * Connects an account, or replaces the secrets of a connected one. Secrets are sealed for one channel id. If somebody
 * else connects the same account at the same moment, its id is used, and the secrets are sealed again for it.
 * @returns null when there is no such workspace
 */
export async function connectChannel(
  parts: { store: Pick<Store, 'read' | 'write'>; credentials: Credentials; clock: Pick<Clock, 'now'> },
  account: AccountSecrets,
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

export interface ConnectChoices {
  /**
   * An account that the workspace has already gets these secrets; else it is refused. The command may be run again by a
   * script, and its name says so; a form may name the wrong account, and asks before it replaces anything.
   */
  readonly replaces: boolean
  /**
   * Connects it although another workspace has it, whose callbacks it would take once it is subscribed. The operator
   * sees all workspaces, and is asked. A member is not told what others have, and sees where the callbacks go before
   * directing them here.
   */
  readonly alsoHere: boolean
  /** Adds each of the account's numbers as a line. */
  readonly addLines: boolean
}

/**
 * Connects an account as people ask for it: the upstream shows its numbers to the access token first.
 * @param client null: the upstream is not asked, and `numbers` is null
 */
export async function connectAccount(
  actor: Pick<Actor, 'read' | 'write' | 'clock'>,
  { credentials, client }: { credentials: Credentials; client: Pick<ChannelClient, 'listNumbers'> | null },
  account: AccountSecrets,
  { replaces, alsoHere, addLines }: ConnectChoices,
): Promise<(ConnectedAccount & { readonly numbers: readonly AccountNumber[] | null }) | Refused> {
  const { workspaceId, accountId } = account
  const places = (await actor.read.channels(alsoHere ? workspaceId : null)).filter(
    channel => channel.accountId === accountId,
  )
  const others = places.filter(channel => channel.workspaceId !== workspaceId)
  if (!replaces && others.length < places.length) {
    return conflict(`Nothing was changed: the account ${accountId} is connected already.`)
  }
  if (!alsoHere && others.length > 0) {
    const named = others.map(channel => `${channel.workspaceId} (${channel.id})`).join(', ')
    return conflict(
      `Nothing was changed: the account ${accountId} is already connected in the workspace ${named}, and its ` +
        'callbacks go to only one of them. Is this the right account?',
    )
  }
  const records = client && (await readNumbers(client, account))
  if (records instanceof Refused) return records
  const connection = await connectChannel({ store: actor, credentials, clock: actor.clock }, account)
  const connected = existing(connection, 'workspace', workspaceId)
  if (connected instanceof Refused) return connected
  const numbers = records && (await matchLines(actor, actor.clock, connected.channel, records, addLines))
  return { ...connected, numbers }
}
