import { expect } from 'bun:test'
import type { Tenant, TestGateway } from '../gateway.ts'
import { callbackOf, postCallback } from '../upstream.ts'

export const phone = '+4915112345678'
/** Whole seconds, as the upstream has them. */
export const sentAt = Math.floor(Date.now() / 1_000) - 60

let last = 0

/**
 * Has a user write, as the upstream tells it.
 * @param fields of the message, besides those that every message has
 */
export async function userWrites(
  { url, appSecret }: TestGateway,
  { channelId, line }: Pick<Tenant, 'channelId' | 'line'>,
  fields: Readonly<Record<string, unknown>>,
  field = 'messages',
  profile: Readonly<Record<string, unknown>> = { name: 'Ada' },
): Promise<{ channelMessageId: string }> {
  last += 1
  const id = `wamid.in${last}`
  const from = 'from_user_id' in fields ? undefined : phone.slice(1)
  const said = 'type' in fields ? {} : { type: 'text', text: { body: 'Hello' } }
  const message = { from, id, timestamp: String(sentAt), ...said, ...fields }
  const isEcho = field === 'smb_message_echoes'
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: line.upstreamPhoneId },
    contacts: [{ profile, wa_id: from, user_id: fields.from_user_id }],
    [isEcho ? 'message_echoes' : 'messages']: [message],
  }
  const response = await postCallback(
    `${url}/callbacks/channel/${channelId}`,
    callbackOf([{ field, value }]),
    appSecret,
  )
  expect(response.status).toBe(200)
  return { channelMessageId: id }
}
