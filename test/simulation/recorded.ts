import type { Tenant } from './history.ts'
import type { Callback } from './platform.ts'
import { person, tenants } from './tenants.ts'

/*
 * Callbacks as the platform and programs beside us were seen to make them, written anew with values of our own: what
 * our own generators would not think of. A history mixes, repeats, reorders and cuts them.
 */

/** What a recorded callback is about. */
export interface About {
  readonly tenant: Tenant
  /** Makes the ids of users' messages its own. */
  readonly nth: number
  /** In seconds. */
  readonly timestamp: number
  /** A message of this workspace that the platform has taken; null: none yet. */
  readonly own: { readonly messageId: string; readonly wamid: string } | null
  /** One of the other workspace. */
  readonly other: { readonly messageId: string; readonly wamid: string } | null
}

interface Change {
  readonly field: string
  readonly value: object
  /** What the gateway has to know once it has taken it. */
  readonly status?: Callback['status']
}

const from = person
const profile = (name: string) => [{ profile: { name }, wa_id: from, user_id: 'DE.1000000000000001' }]

/** A change of the field `messages`, on the line of the workspace unless it says another. */
function messages({ tenant }: Pick<About, 'tenant'>, value: object, status?: Callback['status']): Change {
  const metadata = { display_phone_number: `1555078388${tenant}`, phone_number_id: tenants[tenant].phoneId }
  const whole = { messaging_product: 'whatsapp', metadata, ...value }
  return { field: 'messages', value: whole, ...(status && { status }) }
}

/** What a user writes, of any type. The parts of one letter have ids of their own. */
const written = (about: About, ...parts: readonly object[]): Change => {
  const { tenant, nth, timestamp } = about
  const each = parts.map((part, at) => ({
    ...{ from, id: `wamid.recorded.${tenant}.${nth}.${at}`, timestamp: String(timestamp) },
    ...part,
  }))
  return messages(about, { contacts: profile('Ada'), messages: each })
}

const told = (about: About, status: object): Change =>
  messages(about, { statuses: [{ timestamp: String(about.timestamp), recipient_id: from, ...status }] })

const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
const unsupported = {
  ...{ type: 'unsupported', unsupported: { type: 'poll' } },
  errors: [{ code: 131051, title: 'Message type unknown', message: 'Message type unknown' }],
}

/** Each kind that was recorded, by what is odd about it. */
export const letters: Readonly<Record<string, (about: About) => readonly Change[]>> = {
  deliveredWithoutProfile(about) {
    const { own, timestamp } = about
    const status = { id: own?.wamid ?? 'wamid.of.nobody', status: 'delivered', timestamp: String(timestamp), pricing }
    const contacts = [{ wa_id: from, user_id: 'DE.1000000000000001' }]
    const ofOwn = own ? { biz_opaque_callback_data: own.messageId } : {}
    const statuses = [{ ...status, ...ofOwn, recipient_id: from, recipient_user_id: 'DE.1000000000000001' }]
    return [messages(about, { contacts, statuses }, 'delivered')]
  },
  readWithConversation(about) {
    const { own, timestamp } = about
    const conversation = { id: 'c0ffee', expiration_timestamp: String(timestamp + 86_400), origin: { type: 'utility' } }
    const status = { id: own?.wamid ?? 'wamid.of.nobody', status: 'read', timestamp: String(timestamp), conversation }
    const ofOwn = own ? { biz_opaque_callback_data: own.messageId } : {}
    return [messages(about, { statuses: [{ ...status, ...ofOwn, recipient_id: from }] }, 'read')]
  },
  failedOfNobody: about => [
    told(about, {
      ...{ id: 'wamid.HBgLNDkzMDEyMzQwVQIAERgSQTVCMkMzRDRFNUY2QTdCOEM5AA==', status: 'failed' },
      errors: [{ code: 131053, title: 'Media upload error', error_data: { details: 'Unsupported Audio mime type.' } }],
    }),
  ],
  /** By its id and our id of it, signed by the wrong account. */
  statusesOfTheOther: about => {
    const id = about.other?.wamid ?? 'wamid.of.the.other'
    const biz = about.other?.messageId ?? 'msg_of_the_other'
    return ['sent', 'delivered', 'read', 'failed'].map(status =>
      told(about, { id, status, biz_opaque_callback_data: biz }),
    )
  },
  statusOfUnknownWord: about => [told(about, { id: about.own?.wamid ?? 'wamid.x', status: 'warning' })],
  order: about => [
    written(about, {
      type: 'order',
      order: {
        ...{ catalog_id: '800000000000001', text: 'ring twice' },
        product_items: [
          { product_retailer_id: 'SKU-1', quantity: 2, item_price: 12.5, currency: 'BRL' },
          { product_retailer_id: 'SKU-2', quantity: '1', item_price: '3', currency: 'BRL' },
        ],
      },
    }),
  ],
  cards: about => [
    written(about, {
      type: 'contacts',
      contacts: [
        { name: { formatted_name: 'Dee Test' }, phones: [{ phone: '+49 30 1234', wa_id: '49301234' }] },
        { name: { first_name: 'Eve' }, phones: [{}] },
      ],
    }),
  ],
  floodOfPolls: about => [written(about, ...Array.from({ length: 7 }, () => unsupported))],
  editedAndRevoked: about => {
    const original = `wamid.recorded.${about.tenant}.${about.nth}.0`
    const body = { type: 'text', text: { body: 'at 6' } }
    return [
      written(
        about,
        { type: 'text', text: { body: 'at 5' } },
        { type: 'edit', edit: { original_message_id: original, message: body } },
        { type: 'revoke', revoke: { original_message_id: original } },
        { type: 'revoke', revoke: { original_message_id: 'wamid.of.nobody' } },
      ),
    ]
  },
  flowAnswer: about => [
    written(about, {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"day":"7","a":[1]}' },
      },
      context: { from: '15550783880', id: about.own?.wamid ?? 'wamid.of.nobody' },
    }),
  ],
  reaction: about => [
    written(about, { type: 'reaction', reaction: { message_id: about.own?.wamid ?? 'wamid.x', emoji: '👍' } }),
  ],
  /** It names a message of another workspace: nothing of that is to be shown. */
  quoteOfTheOther: about => [
    written(about, {
      ...{ type: 'text', text: { body: 'this one?' } },
      context: { from: '15550783880', id: about.other?.wamid ?? 'wamid.of.the.other' },
    }),
  ],
  changedNumber: about => [
    written(about, {
      ...{ type: 'system', from: '493012341' },
      system: { type: 'user_changed_number', body: 'User A changed to 493012342', wa_id: '493012342' },
    }),
  ],
  stopWord: about => [written(about, { type: 'text', text: { body: 'STOP' } })],
  preference: ({ tenant, timestamp }) => [
    messages({ tenant }, { contacts: profile('Ada') }),
    {
      field: 'user_preferences',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: `1555078388${tenant}`, phone_number_id: tenants[tenant].phoneId },
        contacts: profile('Ada'),
        user_preferences: [
          { wa_id: from, detail: 'stop', category: 'marketing_messages', value: 'stop', timestamp: String(timestamp) },
        ],
      },
    },
  ],
  /** On a line that another workspace has: what comes for it is that one's, and nothing of it is told here. */
  elsewhere: ({ tenant, nth, timestamp }) => {
    const other = { tenant: (1 - tenant) as Tenant }
    const message = { from, id: `wamid.elsewhere.${tenant}.${nth}`, timestamp: String(timestamp), type: 'text' }
    return [messages(other, { contacts: profile('Bob'), messages: [{ ...message, text: { body: 'whose?' } }] })]
  },
  restriction: () => [
    {
      field: 'account_update',
      value: {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1_780_604_800 }],
      },
    },
  ],
  flaggedNumber: ({ tenant }) => [
    {
      field: 'phone_number_quality_update',
      value: { display_phone_number: `1555078388${tenant}`, event: 'FLAGGED', current_limit: 'TIER_1K' },
    },
  ],
  templatePaused: () => [
    {
      field: 'message_template_status_update',
      value: {
        ...{ event: 'PAUSED', message_template_id: 1001, message_template_name: 'order' },
        ...{ message_template_language: 'en_US', reason: null },
      },
    },
  ],
  fieldOfTomorrow: about => [
    { field: 'messages_of_tomorrow', value: { anything: [about.timestamp, null, { deep: [[]] }] } },
  ],
  emptyValues: about => [messages(about, {}), { field: 'messages', value: {} }],
}

export const letterNames = Object.keys(letters)

/** @returns one callback of several letters, as the platform gathers them, and what it says of messages that are there */
export function recordedBody(names: readonly string[], about: About) {
  const changes = names.flatMap((name, at) => letters[name]?.({ ...about, nth: about.nth * 10 + at }) ?? [])
  const entry = [{ id: tenants[about.tenant].accountId, time: about.timestamp, changes: changes.map(bare) }]
  const { own } = about
  const statuses = own ? changes.flatMap(({ status }) => status ?? []) : []
  return { body: JSON.stringify({ object: 'whatsapp_business_account', entry }), statuses }
}

const bare = ({ field, value }: Change) => ({ field, value })
