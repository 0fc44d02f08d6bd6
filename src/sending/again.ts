import type { Message } from '../../db/contract/records.ts'
import { field, isObject, type JsonObject, parseObject, text } from '../base/json.ts'
import { isFreeform, readFreeform } from '../freeform/content.ts'
import { checkInteractive } from '../interactive/check.ts'
import { directIn } from './directSend.ts'
import { fingerprint } from './fingerprint.ts'
import type { RequestedContent, SendRequest } from './request.ts'

/**
 * Reads the content of a message from the upstream's request, so that it can be sent again as a new message. A
 * template's values are sent as they were; its files must still be there upstream.
 * @returns null for a request that cannot be read
 */
export function contentToSend(payload: string): Pick<SendRequest, 'content' | 'replyTo'> | null {
  const sent = parseObject(payload)
  // One that was to wait for its time has never been written as it would be sent.
  if (!sent || sent.held !== undefined) return null
  const content = contentOf(sent)
  return content && { content, replyTo: text(field(sent.context, 'message_id')) }
}

/** @returns the content of an upstream's request; null: it cannot be read */
export function contentOf(sent: JsonObject): RequestedContent | null {
  switch (sent.type) {
    case 'text': {
      const body = text(field(sent.text, 'body'))
      const previewUrl = field(sent.text, 'preview_url') === true
      return body === null ? null : { type: 'text', body, previewUrl, direct: directIn(sent) }
    }
    case 'interactive': {
      const checked = isObject(sent.interactive) ? checkInteractive(JSON.stringify(sent.interactive)) : null
      if (!checked?.ok) return null
      return { type: 'interactive', payload: checked.payload, flow: checked.flow ?? null, direct: directIn(sent) }
    }
    case 'template': {
      const name = text(field(sent.template, 'name'))
      const language = text(field(field(sent.template, 'language'), 'code'))
      const components = field(sent.template, 'components')
      if (name === null || language === null) return null
      const values = { templateVariables: undefined, bodyParameters: undefined, carousel: undefined }
      return { type: 'template', name, language, components: Array.isArray(components) ? components : [], values }
    }
    default: {
      const read = isFreeform(sent.type) ? readFreeform(sent.type, sent) : null
      return read?.ok ? read.value : null
    }
  }
}

/**
 * The same content from the same line to the same address. It is of the same contact, whose flow it may open; by a user
 * id the contact itself is asked, as the upstream may have changed it. Somewhere else it answers no message: that one
 * is of another conversation.
 * @param elsewhere what differs: another number, `+` and digits; another line
 * @param values what fills its template instead; `sent` has it
 */
export function requestAgain(
  { id, contactId, recipient, lineId, reference }: Message,
  sent: Pick<SendRequest, 'content' | 'replyTo'>,
  idempotencyKey: string,
  elsewhere: { readonly phone?: string; readonly lineId?: string } = {},
  values?: object,
): SendRequest {
  const { phone = null } = elsewhere
  const toUser = phone === null && !recipient.startsWith('+')
  return {
    phone: phone ?? (toUser ? null : recipient),
    contactId: phone === null ? contactId : null,
    userId: toUser && contactId === null ? recipient : null,
    phoneNumberId: elsewhere.lineId ?? lineId,
    ...sent,
    ...(Object.keys(elsewhere).length > 0 && { replyTo: null }),
    requireOpenWindow: false,
    revalidateFlowSession: false,
    idempotencyKey,
    reference,
    messageId: null,
    againOf: id,
    sendAt: null,
    body: null,
    fingerprint: () => fingerprint({ sendAgain: id, ...elsewhere, ...(values && { values }) }),
  }
}
