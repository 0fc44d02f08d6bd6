import { type JsonObject, parseObject } from '../base/json.ts'
import type { DirectCategory, FreeformType } from '../message/words.ts'
import type { SendComponent } from './wire.ts'

/** docs/upstream.md#direct-send */
export interface DirectFields {
  readonly category: DirectCategory | undefined
  readonly ttl_seconds: number | undefined
}

/** The content of a message, without its recipient. What is undefined is left out of the request. */
export type Content =
  | ({
      readonly type: 'text'
      readonly text: { readonly body: string; readonly preview_url: true | undefined }
    } & DirectFields)
  | {
      readonly type: 'template'
      readonly template: {
        readonly name: string
        readonly language: { readonly code: string }
        /** Undefined when the template has no variables. Forwarded components are sent unchanged. */
        readonly components: readonly SendComponent[] | readonly unknown[] | undefined
      }
    }
  | ({ readonly type: 'interactive'; readonly interactive: Readonly<Record<string, unknown>> } & DirectFields)
  | { readonly [Type in FreeformType]: { readonly type: Type } & Readonly<Record<Type, unknown>> }[FreeformType]

/** @returns a request as people may see it, without our id of the message */
export function shownRequest(payload: string): JsonObject {
  const { biz_opaque_callback_data: _, ...shown } = parseObject(payload) ?? {}
  return shown
}

/**
 * Writes the body of `POST /messages` (docs/upstream.md#sending).
 * @param recipient `+` and digits: without the `+` the sending line's country code would be put in front; or the
 *   upstream's id of a user who has no known number
 * @param messageId our id. The upstream returns it in every callback of the message, and it is the only way to match a
 *   callback to a send whose answer was lost.
 * @param answered the upstream's id of the message that it answers or reacts to; null: of none
 */
export function sendRequest(
  recipient: string,
  content: Content,
  messageId: string,
  answered: string | null = null,
): string {
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...(recipient.startsWith('+') ? { to: recipient } : { recipient }),
    // A reaction names it itself.
    ...(answered !== null && content.type !== 'reaction' && { context: { message_id: answered } }),
    ...content,
    biz_opaque_callback_data: messageId,
  })
}
