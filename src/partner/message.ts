import type { MessageStatusView } from '../../db/contract/records.ts'
import { described, type Static, Type } from '../base/schema.ts'
import { exampleMessage, messageSchema, shownMessage } from '../sending/messageSchema.ts'

/**
 * The answer of both endpoints. The compiler checks answers against this type, so they are not checked again at run
 * time.
 */
export const messageEnvelope = described('MessageAnswer', 'The message as it stands now.', {
  success: Type.Literal(true),
  data: messageSchema,
})

/** @returns a named example: `exampleMessage` with some fields changed. */
export const messageExample = (
  summary: string,
  fields: Partial<Record<keyof typeof exampleMessage, unknown>> = {},
) => ({
  summary,
  value: { success: true, data: { ...exampleMessage, ...fields } },
})

/** @returns the message in its envelope. */
export const messageAnswer = (
  message: MessageStatusView,
  idempotentReplay: boolean,
): Static<typeof messageEnvelope> => ({ success: true, data: shownMessage(message, idempotentReplay) })
