import type { CallbackReceipt, Channel } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import { type EpochMs, moment } from '../base/clock.ts'
import { type Credentials, channelSecrets } from '../base/credentials.ts'
import { hourMs } from '../base/durations.ts'
import { messagingLimitWords } from '../base/messagingLimit.ts'
import type { Config } from '../config/config.ts'
import type { ChannelClient } from '../graph/client.ts'
import { notAnAccount } from '../graph/nodeKinds.ts'
import { callbackState, sharingAccounts, subscriptionState } from '../operations/channels/check.ts'
import { latestMessages } from '../operations/channels/lineHealth.ts'
import { openedPeople, openedWords } from '../operations/channels/openedPeople.ts'
import { refusedTokens } from '../operations/channels/refusedTokens.ts'
import type { Check } from './finding.ts'

/** The channels that are examined. */
export interface ExaminedChannels {
  readonly read: StoreReads
  /** Null: those of all workspaces. */
  readonly workspaceId: string | null
  /** Waits until a step of a long read may run. */
  readonly turn: () => Promise<void>
  readonly now: EpochMs
  /** @throws Error when the key does not fit */
  readonly credentials: () => Credentials | Promise<Credentials>
}

/** There are channels, and no two workspaces share an account: its callbacks go to one of them. */
export const channelsCheck =
  ({ read, workspaceId }: ExaminedChannels): Check =>
  async () => {
    const all = await read.channels(workspaceId)
    if (all.length === 0) throw new Error('there is none, so nothing can be sent. Connect one: waypost channel connect')
    failWith(
      sharingAccounts(all).map(
        shared =>
          `${shared.map(({ id }) => id).join(' and ')} have the same account ${shared[0]?.accountId}, whose ` +
          'callbacks go to only one of them: disconnect the others',
      ),
    )
    return `${counted(all.length, 'channel')}, each with its own account`
  }

/** The stored secrets open with this key. */
export const vault =
  ({ read, workspaceId, credentials }: ExaminedChannels): Check =>
  async () => {
    const opened = await credentials()
    const all = await read.channels(workspaceId)
    failWith(
      all.flatMap(channel =>
        channelSecrets.flatMap(secret => {
          const text = openedBy(() => opened.open(channel, secret))
          const what = `the ${secretWords[secret]} of ${channel.id}`
          if (text === null) return [`${what} does not open: connect its account again`]
          return text === '' ? [`${what} is absent: waypost channel set-app-secret ${channel.id}`] : []
        }),
      ),
    )
    return `the key fits, and opens the secrets of ${counted(all.length, 'channel')}`
  }

const secretWords = { accessToken: 'access token', appSecret: 'app secret', verifyToken: 'verify token' } as const

function openedBy(open: () => string): string | null {
  try {
    return open()
  } catch {
    return null
  }
}

/** The upstream took the access token of each channel at its latest message: the rule of the console's overview. */
export const accessTokens =
  ({ read, workspaceId }: ExaminedChannels): Check =>
  async () => {
    const problems: string[] = []
    for (const id of await examinedWorkspaces({ read, workspaceId })) {
      const refused = refusedTokens(await latestMessages(read, id, await read.lines(id)), await read.channels(id))
      for (const [channelId, since] of refused) {
        problems.push(
          `${channelId}: refused since ${moment(since)} (UTC), so nothing can be sent. Give a new one: waypost ` +
            `channel set-token ${channelId}`,
        )
      }
    }
    failWith(problems)
    return 'none was refused at the latest message'
  }

const examinedWorkspaces = async ({ read, workspaceId }: Pick<ExaminedChannels, 'read' | 'workspaceId'>) =>
  workspaceId === null ? (await read.workspaces()).map(({ id }) => id) : [workspaceId]

/** Callbacks come and are accepted. The time of the last one is exact to the minute. */
export const callbacks =
  ({ read, workspaceId }: ExaminedChannels): Check =>
  async () => {
    const receipts = new Map((await read.callbackReceipts()).map(receipt => [receipt.channelId, receipt]))
    const all = await read.channels(workspaceId)
    failWith(all.flatMap(channel => callbackProblem(channel, receipts.get(channel.id))))
    const last = all.map(({ id }) => `${id} at ${moment(receipts.get(id)?.acceptedAt ?? 0)}`)
    return last.length === 0 ? 'no channel' : `last accepted (UTC): ${last.join(', ')}`
  }

function callbackProblem({ id }: Channel, receipt: CallbackReceipt | undefined): string[] {
  const callbacks = callbackState(receipt)
  switch (callbacks.state) {
    case 'accepted':
      return []
    case 'none':
      return [
        `${id}: none has come yet, so messages stay SENT. With the gateway running at its PUBLIC_URL: waypost ` +
          `channel subscribe ${id}. If that is done, send a message: its status is the first callback`,
      ]
    case 'refused': {
      const { acceptedAt, refusedAt, refusal } = callbacks
      const lastGood =
        acceptedAt === null ? 'none was accepted yet' : `the last accepted one came at ${moment(acceptedAt)}`
      const why =
        refusal === 'unsigned'
          ? 'it had no signature, so it did not come from the upstream platform'
          : `its signature was not made with this app secret. Give the right one: waypost channel set-app-secret ${id}`
      return [`${id}: the last callback was refused at ${moment(refusedAt)} (UTC): ${why} (${lastGood})`]
    }
  }
}

/** No message is UNKNOWN and waits for the operator. */
export const unknownMessages =
  (read: Pick<StoreReads, 'unknownMessages'>, { unknownSettleMs }: Pick<Config, 'unknownSettleMs'>): Check =>
  async () => {
    const { count, since } = await read.unknownMessages()
    if (count === 0) return 'none has an unknown outcome'
    throw new Error(
      `${counted(count, 'message')} with an unknown outcome, the oldest since ${moment(since ?? 0)} (UTC). A ` +
        `callback may still settle them; after ${unknownSettleMs / hourMs} hours they count as FAILED. See waypost ` +
        'message list --status UNKNOWN, and settle those that you know about: waypost message resolve',
    )
  }

/** For every channel with an active line, the upstream answers to its access token, and its callbacks come here. */
export const upstream =
  ({ read, workspaceId, credentials, turn, now }: ExaminedChannels, client: ChannelClient): Check =>
  async () => {
    const opened = await credentials()
    const active = new Set<string>()
    for (const id of await examinedWorkspaces({ read, workspaceId })) {
      for (const line of await read.lines(id)) if (line.active) active.add(line.channelId)
    }
    const asked = (await read.channels(workspaceId)).filter(({ id }) => active.has(id))
    const withToken = asked.map(channel => ({ channel, accessToken: opened.open(channel, 'accessToken') }))
    const problems = await Promise.all(
      withToken.map(({ channel, accessToken }) => upstreamProblem(client, channel, accessToken)),
    )
    failWith(problems.flat())
    if (asked.length === 0) return 'no channel has an active line'
    const limits = await Promise.all(
      withToken.map(({ channel, accessToken }) => messagingLimit({ read, turn, now, client }, channel, accessToken)),
    )
    const answered = `answered for ${counted(asked.length, 'channel')} with active lines, whose callbacks come here`
    return [answered, ...limits.flatMap(limit => limit ?? [])].join('\n')
  }

/** @returns to how many people the portfolio of an account may write first, and did; null: the upstream does not say */
async function messagingLimit(
  { client, read, ...of }: Pick<ExaminedChannels, 'read' | 'turn' | 'now'> & { readonly client: ChannelClient },
  { id, accountId, workspaceId }: Channel,
  accessToken: string,
) {
  const listing = await client.listNumbers({ accountId, accessToken })
  const [limit] = listing.kind === 'failed' ? [] : listing.numbers.flatMap(number => number.messagingLimit ?? [])
  if (limit === undefined) return null
  const opened = await openedPeople(read, { ...of, workspaceId, channelId: id })
  return `${id}: ${messagingLimitWords(limit)} for all numbers of its portfolio; ${openedWords(opened)}`
}

async function upstreamProblem(client: ChannelClient, channel: Channel, accessToken: string): Promise<string[]> {
  const { id, accountId } = channel
  const listing = await client.listTemplates({ accountId, accessToken })
  if (listing.kind === 'failed') {
    // Who was not reached has said nothing about the token.
    const advice =
      listing.code === undefined ? '' : `. If its access token is the reason: waypost channel set-token ${id}`
    const wrong = notAnAccount(listing)
    return [`${id}: ${listing.message}${wrong === null ? advice : `. ${wrong}`}`]
  }
  const subscription = await subscriptionState(client, channel, accessToken)
  const subscribe = `waypost channel subscribe ${id}`
  switch (subscription.state) {
    case 'here':
      return []
    case 'unknown':
      return [`${id}: ${subscription.message}`]
    case 'nowhere':
      return [`${id}: its callbacks are not subscribed: ${subscribe}`]
    case 'elsewhere':
      return [`${id}: its callbacks go to ${subscription.addresses.join(', ')}. To receive them here: ${subscribe}`]
  }
}

/** @throws Error that names every problem, when there is any */
function failWith(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
