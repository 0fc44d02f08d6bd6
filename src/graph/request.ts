import type { SendComponent } from './wire.ts'

/** The content of a message, without its recipient. */
export type Content =
  | { readonly type: 'text'; readonly text: { readonly body: string } }
  | {
      readonly type: 'template'
      readonly template: {
        readonly name: string
        readonly language: { readonly code: string }
        /** Left out when the template has no variables. Forwarded components are sent unchanged. */
        readonly components?: readonly SendComponent[] | readonly unknown[]
      }
    }
  | { readonly type: 'interactive'; readonly interactive: Readonly<Record<string, unknown>> }

/**
 * Writes the body of `POST /messages` (docs/upstream.md#sending).
 * @param recipient `+` and digits: without the `+` the sending line's country code would be put in front; or the
 *   upstream's id of a user who has no known number
 * @param messageId our id. The upstream returns it in every callback of the message, and it is the only way to match a
 *   callback to a send whose answer was lost.
 */
export function sendRequest(recipient: string, content: Content, messageId: string): string {
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...(recipient.startsWith('+') ? { to: recipient } : { recipient }),
    ...content,
    biz_opaque_callback_data: messageId,
  })
}
