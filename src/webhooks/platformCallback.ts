import type { LineAddress } from '../../db/contract/webhookDelivery.ts'

/*
 * Callbacks as the upstream posts them (docs/upstream.md#status-updates), for programs that were written for it.
 */

/** @returns a callback with one entry */
export const callbackOf = (entry: object) => ({ object: 'whatsapp_business_account', entry: [entry] })

/** @param told `statuses`, or `messages` with `contacts`. @returns a callback with one entry and one change */
export const messagesCallback = (line: LineAddress, told: object) =>
  callbackOf({ id: line.accountId, changes: [{ field: 'messages', value: { ...metadataOf(line), ...told } }] })

/** What the `value` of a change about a line begins with. */
export const metadataOf = ({ number, upstreamPhoneId }: Pick<LineAddress, 'number' | 'upstreamPhoneId'>) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: digitsOf(number), phone_number_id: upstreamPhoneId },
})

/** The upstream names numbers without `+`. */
export const digitsOf = (number: string): string => number.replace('+', '')

/** @returns who wrote a message; the name is always there, because some programs read it without a look */
export const callbackContact = (user: {
  readonly name: string | null
  readonly username: string | null
  readonly waId: string | null
  readonly userId: string | null
}) => ({
  profile: { name: user.name ?? '', ...(user.username && { username: user.username }) },
  ...(user.waId && { wa_id: user.waId }),
  ...(user.userId && { user_id: user.userId }),
})

/** @returns what a caller wrote to have it back with each callback; null: nothing */
export const opaqueOf = (word: string | null) => (word === null ? {} : { biz_opaque_callback_data: word })
