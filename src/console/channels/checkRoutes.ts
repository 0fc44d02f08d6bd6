import { Elysia } from 'elysia'
import { closed, Type } from '../../base/schema.ts'
import { notAnAccount } from '../../graph/nodeKinds.ts'
import { channelOf } from '../../operations/channels/channels.ts'
import { subscriptionState } from '../../operations/channels/check.ts'
import { matchLines, numberView } from '../../operations/channels/numbers.ts'
import { openedPeople } from '../../operations/channels/openedPeople.ts'
import { subscribeChannel } from '../../operations/channels/subscribe.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { textOrNull, wired } from '../shapes.ts'
import { numberSchema } from './schemas.ts'

const checkAnswer = wired('ChannelCheck', {
  account: closed({
    isReadable: Type.Boolean({ description: 'Whether the access token works for the account.' }),
    message: textOrNull,
    numbers: Type.Array(numberSchema, { description: "The account's phone numbers, and their lines here." }),
  }),
  subscription: closed({
    state: Type.Enum(['here', 'nowhere', 'elsewhere', 'unknown'], {
      type: 'string',
      description: "Where the upstream platform sends the account's callbacks.",
    }),
    addresses: Type.Array(Type.String(), { description: 'Where, when it is elsewhere.' }),
    message: textOrNull,
  }),
})

const openedAnswer = wired('OpenedPeople', {
  count: Type.Integer(),
  isMore: Type.Boolean({ description: 'Whether there may be more: a busy day is not looked at as a whole.' }),
})

const callbackSetupAnswer = wired('CallbackSetup', {
  verifyToken: Type.String({ description: 'Verifies the callback address to the upstream platform.' }),
})

const subscribedAnswer = wired('Subscription', {
  callbackUrl: Type.String(),
  cutOff: Type.Array(Type.String(), {
    description: 'Other channels of the account, which no longer get callbacks.',
  }),
})

/** Whether a channel works, and where its callbacks go. */
export function checkRoutes(parts: ConsoleParts) {
  const { store, clock, credentials, client, publicUrl, findSandbox, ownUrl } = parts
  const { read } = store
  return new Elysia({ name: 'console-channel-checks', prefix: '/workspaces/:workspaceId/channels/:channelId' })
    .use(guard(parts))
    .get(
      '/check',
      async ({ member, params }) => {
        const channel = done(await channelOf(member, params.channelId))
        const { accountId } = channel
        const accessToken = credentials.open(channel, 'accessToken')
        const [listing, subscription] = await Promise.all([
          client.listNumbers({ accountId, accessToken }),
          subscriptionState(client, channel, accessToken),
        ])
        const records = listing.kind === 'listed' ? listing.numbers : []
        const numbers = await matchLines({ read, write: member.write }, clock, channel, records, false)
        return {
          account: {
            isReadable: listing.kind === 'listed',
            message:
              listing.kind === 'listed' ? null : [listing.message, notAnAccount(listing)].filter(Boolean).join('. '),
            numbers: numbers.map(numberView),
          },
          subscription: {
            state: subscription.state,
            addresses: subscription.state === 'elsewhere' ? subscription.addresses.filter(isText) : [],
            message: subscription.state === 'unknown' ? subscription.message : null,
          },
        }
      },
      {
        role: 'admin',
        response: checkAnswer,
        summary: 'Check a channel',
        description: 'Queries the upstream platform with the stored access token.',
      },
    )
    .get(
      '/opened-people',
      async ({ member: { turn, ...member }, params }) => {
        const { id: channelId, workspaceId } = done(await channelOf(member, params.channelId))
        return openedPeople(read, { workspaceId, channelId, now: clock.now(), turn })
      },
      {
        role: 'viewer',
        response: openedAnswer,
        summary: 'Count people who were written to first',
        description:
          'In the last 24 hours, as far as is known. The limit of the platform counts those of the whole portfolio.',
      },
    )
    .get(
      '/callback-setup',
      async ({ member, params }) => {
        const channel = done(await channelOf(member, params.channelId))
        return { verifyToken: credentials.open(channel, 'verifyToken') }
      },
      {
        role: 'admin',
        response: callbackSetupAnswer,
        summary: 'Read the verify token',
        description: 'For setting the callback address of the channel by hand.',
      },
    )
    .post(
      '/callback-subscription',
      async ({ member, params }) => {
        const channel = done(await channelOf(member, params.channelId))
        // The stand-in reaches us without a public address.
        const base = publicUrl ?? ((await findSandbox()) === null ? null : ownUrl())
        const { callbackUrl, cutOff } = done(await subscribeChannel({ read, credentials, client }, channel, base))
        return { callbackUrl, cutOff: [...cutOff] }
      },
      {
        role: 'admin',
        response: subscribedAnswer,
        summary: 'Subscribe callbacks',
        description:
          "Directs the account's callbacks to this gateway. The upstream platform verifies the address at once.",
      },
    )
}

const isText = (address: string | null): address is string => address !== null
