import { knownId } from '../message/forgotten.ts'
import type { MessageRecord } from '../message/state.ts'

/** What our own ids hold, so that they are told from the platform's. */
const mark = 'waypost:'
const messagePattern = /^waypost:(msg_[0-9a-z]{26})$/

/**
 * The id of a message whose id at the platform was not known in time. It follows from ours, and has the platform's
 * form: clients know an id by its beginning.
 */
export const ownWamid = (messageId: string): string => `wamid.${Buffer.from(`${mark}${messageId}`).toString('base64')}`

/** @returns our id of the message that a client names by such an id; any other id as it is */
export function messageNamedBy(wamid: string): string {
  const [, messageId] = messagePattern.exec(Buffer.from(wamid.replace(/^wamid\./, ''), 'base64').toString()) ?? []
  return messageId ?? wamid
}

/** @returns the id by which a client of the platform knows a message, in each answer and callback; null: it has none */
export const clientsId = ({
  id,
  ownIdAt,
  channelMessageId,
}: Pick<MessageRecord, 'ownIdAt' | 'channelMessageId'> & { readonly id: string }): string | null =>
  ownIdAt === null ? knownId(channelMessageId) : ownWamid(id)
