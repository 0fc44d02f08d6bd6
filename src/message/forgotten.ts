import { sha256 } from '../base/crypto.ts'
import { withAttempts } from './failures.ts'
import { isSameMessage } from './sameMessage.ts'
import type { MessageEvent, MessageRecord } from './state.ts'

/** The recipient of a message after its contact was erased. */
export const forgotten = 'forgotten'

/**
 * The prefix of a digest that replaces an id of the upstream. A message that came without an id has such a digest too.
 */
export const digestMark = 'sha256:'

/**
 * The upstream's id of a message contains the person's number, in base64. A forgotten message keeps a digest in its
 * place, because late and repeated callbacks name the id and still have to be matched. The digest needs no key: after
 * the number, the id has some 70 random bits, so that the number cannot be found by brute force.
 * @returns a digest unchanged
 */
export const digestOf = (channelMessageId: string): string =>
  channelMessageId.startsWith(digestMark) ? channelMessageId : `${digestMark}${sha256(channelMessageId)}`

/** @returns an id of the upstream as it gave it; null where there is none, or a digest alone is left */
export const knownId = (channelMessageId: string | null): string | null =>
  channelMessageId?.startsWith(digestMark) ? null : channelMessageId

/** The parts of a message that identify a person; others that a send has brought may stand beside them. */
export type Traces = { readonly recipient: string } & Pick<MessageRecord, 'waId' | 'channelMessageId' | 'failures'>

/**
 * @returns what is left of the traces: null of each but the recipient, the upstream's ids and failures; null when
 *   nothing of them is left to erase
 */
export function erased<Given extends Traces>(given: Given) {
  const { channelMessageId, failures } = given
  const left = {
    ...Object.fromEntries(Object.keys(given).map(name => [name, null])),
    recipient: forgotten,
    channelMessageId: channelMessageId === null ? null : digestOf(channelMessageId),
    failures: failures === null ? null : withAttempts(failures, digestOf),
  }
  const isDone = Object.entries(left).every(([name, value]) => given[name as keyof Given] === value)
  return isDone ? null : left
}

/** @returns the upstream's id as the message may keep it */
export const keptId = ({ recipient }: Pick<Traces, 'recipient'>, channelMessageId: string): string =>
  recipient === forgotten ? digestOf(channelMessageId) : channelMessageId

/**
 * @returns the event as the message may keep it: a late one does not bring back what was erased, and a report under
 *   another text of the id leaves the one that is known
 */
export function keptEvent(message: Pick<Traces, 'recipient' | 'channelMessageId'>, event: MessageEvent): MessageEvent {
  if (!('channelMessageId' in event)) return event
  const known = message.channelMessageId
  if (event.kind === 'reported' && known !== null && isSameMessage(known, event.channelMessageId))
    return { ...event, channelMessageId: known }
  if (message.recipient !== forgotten) return event
  const channelMessageId = keptId(message, event.channelMessageId)
  return event.kind === 'accepted' ? { ...event, channelMessageId, waId: null } : { ...event, channelMessageId }
}
