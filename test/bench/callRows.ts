import { dayMs } from '../../src/base/durations.ts'
import { numberedId } from '../../src/base/ids.ts'
import { type PartnerCall, partnerPrefix } from '../../src/http/calls.ts'
import { appSecret, upstreamPhoneId } from './gateway.ts'
import type { Group } from './options.ts'
import { graphSends } from './sends.ts'
import { fixedNumber, freshRequests, type Key, rawRequest, sendBody, signed, type Traffic } from './traffic.ts'

/** What the requests of one side name: both sides have as many of each, whatever history is beside them. */
export interface CallSide {
  /** With all scopes. */
  readonly key: Key
  /** The same key, as clients of the platform show it. */
  readonly graphToken: string
  readonly workspaceId: string
  readonly callbackPath: string
  /** The number of its last event. */
  readonly lastEvent: number
  /** Messages that users wrote, and who wrote them. */
  readonly inboundIds: readonly string[]
  readonly contactIds: readonly string[]
  readonly scheduledId: string
  readonly mediaId: string
  /** A draft with items. */
  readonly batchId: string
  readonly webhookId: string
}

/** How a call is measured beside a long history; or where else, or why it is not. */
type CallRow =
  | { readonly kind: 'measured'; readonly what: string; traffic(side: CallSide, round: number): Traffic }
  | { readonly kind: 'elsewhere'; readonly group: Group }
  | { readonly kind: 'left out'; readonly because: string }

const byId = 'it changes what its id names alone, as PATCH /messages/:messageId does'
const fewOf = 'it changes one of the few that a workspace has, whatever was sent'
const ofPlatform = 'the platform answers it, and its time is the platform’s'
const ofFile = 'its time is that of the file'
const spent = 'it is over after one call; its parts are those of the calls beside it'

/** Not more than a page apart from each other, on average. */
const placesMax = 500

const measured = (what: string, traffic: (side: CallSide, round: number) => Traffic): CallRow => ({
  kind: 'measured',
  what,
  traffic,
})
const elsewhere = (group: Group): CallRow => ({ kind: 'elsewhere', group })
const leftOut = (because: string): CallRow => ({ kind: 'left out', because })

/** Reads of the partner API, one path after another. */
const reading = (what: string, paths: (side: CallSide) => readonly string[]): CallRow =>
  measured(what, side => ({
    kind: 'listed',
    requests: paths(side).map(path =>
      rawRequest({ method: 'GET', path: partnerPrefix + path, headers: { ...side.key } }),
    ),
  }))

const bearer = ({ graphToken }: CallSide) => ({ authorization: `Bearer ${graphToken}` })
const graphReading = (what: string, path: string): CallRow =>
  measured(what, side => ({
    kind: 'listed',
    requests: [rawRequest({ method: 'GET', path: `/graph/v25.0${path}`, headers: bearer(side) })],
  }))

/** The account that the bench connects. */
export const accountId = '100001'
/** Two days ahead, by turns: the message is moved with each call. */
const times = [1, 2].map(days => new Date(Date.now() + days * dayMs).toISOString())

/** Each call of API keys: a new one has no row yet, and the type says so. */
export const callRows: Readonly<Record<PartnerCall, CallRow>> = {
  'POST /messages/send': elsewhere('large'),
  'POST /messages/check': measured('checks of a send', ({ key }, round) =>
    freshRequests(
      rawRequest({
        method: 'POST',
        path: `${partnerPrefix}/messages/check`,
        headers: { ...key },
        body: sendBody('text'),
      }),
      round,
    ),
  ),
  'GET /messages/:messageId': elsewhere('status'),
  'PATCH /messages/:messageId': measured('moves of a scheduled message', ({ key, scheduledId }) => ({
    kind: 'listed',
    requests: times.map(sendAt =>
      rawRequest({
        method: 'PATCH',
        path: `${partnerPrefix}/messages/${scheduledId}`,
        headers: { ...key },
        body: JSON.stringify({ sendAt }),
      }),
    ),
  })),
  'DELETE /messages/:messageId': leftOut(spent),
  'GET /messages': reading('pages of 50 messages', () => ['/messages?limit=50']),
  'GET /lines': reading('lists of lines', () => ['/lines']),
  'GET /events': reading('pages of 100 events', ({ workspaceId, lastEvent }) =>
    Array.from({ length: placesMax }, (_, at) => {
      const place = Math.max(1, lastEvent - 200 - Math.floor((lastEvent * at) / (2 * placesMax)))
      return `/events?limit=100&after=${numberedId('evt', workspaceId, place)}`
    }),
  ),
  'GET /templates': reading('lists of templates', () => ['/templates']),
  'GET /inbound': reading('pages of 100 messages of users', () => ['/inbound?limit=100']),
  'GET /inbound/:inboundId': reading('reads of a message of a user', ({ inboundIds }) =>
    inboundIds.map(id => `/inbound/${id}`),
  ),
  'POST /inbound/:inboundId/read': leftOut(ofPlatform),
  'POST /media': leftOut(ofFile),
  'GET /media/:mediaId': reading('reads of what is known of a file', ({ mediaId }) => [`/media/${mediaId}`]),
  'GET /contacts': reading('contacts by their number', ({ contactIds }) =>
    contactIds.map((_, at) => `/contacts?phone=${encodeURIComponent(`+${writerOf(at)}`)}`),
  ),
  'GET /contacts/:contactId': reading('reads of a contact', ({ contactIds }) =>
    contactIds.map(id => `/contacts/${id}`),
  ),
  'POST /contacts': leftOut('looks for the number as `GET /contacts` does'),
  'PUT /contacts/:contactId/blocked': leftOut(ofPlatform),
  'PUT /contacts/:contactId/preferences': leftOut(byId),
  'POST /batches': elsewhere('batch'),
  'GET /batches': reading('lists of batches', () => ['/batches']),
  'GET /batches/:batchId': reading('reads of a batch', ({ batchId }) => [`/batches/${batchId}`]),
  'GET /batches/:batchId/items': reading('pages of 100 items of a batch', ({ batchId }) => [
    `/batches/${batchId}/items?limit=100`,
  ]),
  'POST /batches/:batchId/items': elsewhere('batch'),
  'DELETE /batches/:batchId/items/:number': leftOut(spent),
  'POST /batches/:batchId/start': elsewhere('batch'),
  'POST /batches/:batchId/pause': leftOut(byId),
  'POST /batches/:batchId/resume': leftOut(byId),
  'POST /batches/:batchId/cancel': leftOut(byId),
  'POST /batches/:batchId/retry': leftOut(spent),
  'GET /webhooks': reading('lists of webhooks', () => ['/webhooks']),
  'POST /webhooks': leftOut(fewOf),
  'GET /webhooks/:webhookId': reading('reads of a webhook', ({ webhookId }) => [`/webhooks/${webhookId}`]),
  'PUT /webhooks/:webhookId': leftOut(fewOf),
  'DELETE /webhooks/:webhookId': leftOut(fewOf),
  'POST /webhooks/:webhookId/rotate': leftOut(fewOf),
  'POST /webhooks/:webhookId/test': leftOut('its time is that of the receiver'),
  'GET /webhooks/:webhookId/deliveries': reading('pages of deliveries', ({ webhookId }) => [
    `/webhooks/${webhookId}/deliveries`,
  ]),
  'POST /webhooks/:webhookId/replay': leftOut('what it brings are deliveries, and the group large has those'),

  'POST /graph/:line/messages': measured('sends by /graph', ({ graphToken }, round) => graphSends(graphToken, round)),
  'POST /graph/:line/media': leftOut(ofFile),
  'GET /graph/:media/content': leftOut(ofFile),
  'GET /graph/:line/whatsapp_business_profile': leftOut(ofPlatform),
  'GET /graph/:line/block_users': leftOut(ofPlatform),
  'POST /graph/:line/block_users': leftOut(ofPlatform),
  'DELETE /graph/:line/block_users': leftOut(ofPlatform),
  'GET /graph/:account/phone_numbers': leftOut(ofPlatform),
  'GET /graph/:account/message_templates': leftOut(ofPlatform),
  'POST /graph/:account/message_templates': leftOut(ofPlatform),
  'DELETE /graph/:account/message_templates': leftOut(ofPlatform),
  'GET /graph/:account/subscribed_apps': graphReading('/graph: lists of callbacks', `/${accountId}/subscribed_apps`),
  'POST /graph/:account/subscribed_apps': leftOut(fewOf),
  'DELETE /graph/:account/subscribed_apps': leftOut(fewOf),
  'POST /graph/:app/uploads': leftOut(ofPlatform),
  'POST /graph/upload:id': leftOut(ofPlatform),
  'GET /graph/upload:id': leftOut(ofPlatform),
  'GET /graph/debug_token': measured('/graph: what a token may do', side => ({
    kind: 'listed',
    requests: [
      rawRequest({
        method: 'GET',
        path: `/graph/v25.0/debug_token?input_token=${side.graphToken}`,
        headers: bearer(side),
      }),
    ],
  })),
  'GET /graph/me/permissions': graphReading('/graph: permissions', '/me/permissions'),
  'GET /graph/:id': leftOut(ofPlatform),
  'POST /graph/:id': leftOut(ofPlatform),
  'DELETE /graph/:id': leftOut(ofPlatform),
  'another call of /graph': leftOut(ofPlatform),
  'no such route': leftOut('it reads the key alone, as every call does'),
}

/** Messages of users that are there before anything is measured, each of another one. */
export const writers = 2_000
/** The number of a user, without the `+`. New ones begin where these end. */
export const writerOf = (at: number) => `4917${fixedNumber(at)}`

/** Callbacks that one round brings; after that they come again, as duplicates. */
const writtenPerRound = 20_000
let lastWritten = 0

const callbackTraffic = ({ callbackPath }: CallSide, bodies: readonly string[]): Traffic => ({
  kind: 'listed',
  requests: bodies.map(body =>
    rawRequest({ method: 'POST', path: callbackPath, headers: signed(body, appSecret), body }),
  ),
})

const written = (side: CallSide, writer: (at: number) => string): Traffic =>
  callbackTraffic(
    side,
    Array.from({ length: writtenPerRound }, (_, at) => {
      lastWritten += 1
      return writtenBody(writer(at), `wamid.in${lastWritten}`)
    }),
  )

/** What users' callbacks bring, beside the statuses that the group large has already. */
export const callbackRows: readonly { readonly what: string; traffic(side: CallSide, round: number): Traffic }[] = [
  { what: 'messages of known users', traffic: side => written(side, at => writerOf(at % writers)) },
  {
    what: 'messages of new users',
    // Of this round alone: a user is new once.
    traffic: (side, round) => written(side, at => writerOf(writers + round * writtenPerRound + at)),
  },
]

/** A callback with one message of a user. */
export const writtenBody = (from: string, id: string): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: accountId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '15550783881', phone_number_id: upstreamPhoneId },
              contacts: [{ profile: { name: 'Ada' }, wa_id: from }],
              messages: [
                { from, id, timestamp: String(Math.floor(Date.now() / 1_000)), type: 'text', text: { body: 'Hello' } },
              ],
            },
          },
        ],
      },
    ],
  })
