import type { Tenant } from '../history.ts'
import type { Callback } from '../platform.ts'
import { person, tenants } from '../tenants.ts'

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

export interface Change {
  readonly field: string
  readonly value: object
  /** What the gateway has to know once it has taken it. */
  readonly status?: Callback['status']
}

/** Parts of a callback, by what is odd about each. */
export type Letters = Readonly<Record<string, (about: About) => readonly Change[]>>

export const from = person
export const profile = (name: string, of = from) => [{ profile: { name }, wa_id: of, user_id: 'DE.1000000000000001' }]

/** A change of the field `messages`, on the line of the workspace unless it says another. */
export function messages({ tenant }: Pick<About, 'tenant'>, value: object, status?: Callback['status']): Change {
  const metadata = { display_phone_number: `1555078388${tenant}`, phone_number_id: tenants[tenant].phoneId }
  const whole = { messaging_product: 'whatsapp', metadata, ...value }
  return { field: 'messages', value: whole, ...(status && { status }) }
}

/** What a user writes, of any type. The parts of one letter have ids of their own. */
export const written = (about: About, ...parts: readonly object[]): Change => {
  const { tenant, nth, timestamp } = about
  const each = parts.map((part, at) => ({
    ...{ from, id: `wamid.recorded.${tenant}.${nth}.${at}`, timestamp: String(timestamp) },
    ...part,
  }))
  return messages(about, { contacts: profile('Ada'), messages: each })
}

/** A status that says nothing of a message of ours. */
export const told = (about: About, status: object): Change =>
  messages(about, { statuses: [{ timestamp: String(about.timestamp), recipient_id: from, ...status }] })

/** A status of the message of ours, or of nobody's while there is none. */
export function toldOfOwn(about: About, status: Callback['status'], more: object, beside: object = {}): Change {
  const { own, timestamp } = about
  const ofOwn = own ? { biz_opaque_callback_data: own.messageId } : {}
  const said = { id: own?.wamid ?? 'wamid.of.nobody', status, timestamp: String(timestamp), recipient_id: from }
  return messages(about, { ...beside, statuses: [{ ...said, ...ofOwn, ...more }] }, status)
}
