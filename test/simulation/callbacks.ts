import { sha256 } from '../../src/base/crypto.ts'
import { signatureOf } from '../upstream.ts'
import type { Tenant } from './history.ts'
import type { Callback } from './platform.ts'
import { pictureOf } from './platformFiles.ts'
import { pausable } from './templates.ts'
import { person, tenants } from './tenants.ts'

/** @returns whose line a callback is about */
export function tenantOf({ phoneId }: Pick<Callback, 'phoneId'>): Tenant {
  return tenants[0].phoneId === phoneId ? 0 : 1
}

/** @returns a callback as the platform writes it. @param value of the change, beside the line */
function bodyOf(tenant: Tenant, value: object): string {
  const { accountId: id, phoneId } = tenants[tenant]
  const metadata = { display_phone_number: `1555078388${tenant}`, phone_number_id: phoneId }
  const changes = [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id, changes }] })
}

export function statusBody(callback: Callback): string {
  const { messageId, wamid, status, timestamp, isNamed } = callback
  const told = {
    ...{ id: wamid, status, timestamp: String(timestamp), recipient_id: '49301234' },
    ...(isNamed && { biz_opaque_callback_data: messageId }),
    ...(status === 'failed' && { errors: [{ code: 131026, title: 'undeliverable' }] }),
  }
  return bodyOf(tenantOf(callback), { statuses: [told] })
}

/** @param fileId the platform's id of the picture; null: a text */
export function inboundBody(tenant: Tenant, wamid: string, timestamp: number, fileId: string | null): string {
  const from = person
  const picture = { id: fileId, mime_type: 'image/jpeg', sha256: sha256(pictureOf(wamid)) }
  const said = fileId === null ? { type: 'text', text: { body: 'hello' } } : { type: 'image', image: picture }
  return bodyOf(tenant, {
    contacts: [{ wa_id: from, profile: { name: 'Ada' } }],
    messages: [{ from, id: wamid, timestamp: String(timestamp), ...said }],
  })
}

/** What the platform says of the template that it pauses. */
export function templateBody(tenant: Tenant, event: string, time: number): string {
  const { name, language } = pausable
  const value = {
    ...{ event, message_template_id: 1001, message_template_name: name, message_template_language: language },
    reason: event === 'PAUSED' ? 'LOW_QUALITY' : null,
  }
  const changes = [{ field: 'message_template_status_update', value }]
  const entry = [{ id: tenants[tenant].accountId, time, changes }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry })
}

export function signedCallback(tenant: Tenant, body: string): Request {
  const { channelId, appSecret } = tenants[tenant]
  return new Request(`http://localhost/callbacks/channel/${channelId}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
      'x-hub-signature-256': signatureOf(body, appSecret),
    },
    body,
  })
}
