import type { Channel, Inbound } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import { messageOf } from '../base/errors.ts'
import { OutcomeUnknown, Unavailable } from '../base/unavailable.ts'
import { windowMs } from '../base/upstreamLimits.ts'
import { ownWishOf } from '../inbound/preferences.ts'
import { digestOf } from '../message/forgotten.ts'
import { wishIn } from '../message/optOut.ts'
import { checkSendBody } from '../operations/sends/sendBody.ts'
import type { SendCaller } from '../sending/request.ts'
import { type SubmissionParts, sendMessage } from '../sending/submission.ts'
import type { Logger } from '../telemetry/log.ts'

interface Parts {
  readonly store: Store
  readonly sending: SubmissionParts
  readonly log: Logger
}

/** By it callers and people know the answer among the messages of the workspace. */
const reference = 'opt-out'

/**
 * Answers who has opted out by a word, where the workspace wants it: an ordinary message, to be accepted before the
 * callback is answered. Who had opted out already gets none, and a callback that is repeated sends none again. That no
 * answer could be sent is no reason for the platform to repeat the callback: it is logged.
 * @throws Unavailable and OutcomeUnknown when the database is away: the callback is repeated, and answers then
 */
export async function answerOptOuts(parts: Parts, channel: Channel, inbound: readonly Inbound[]): Promise<void> {
  const said = inbound.filter(message => message.said)
  if (said.length === 0) return
  try {
    const workspace = await parts.store.read.workspace(channel.workspaceId)
    if (!workspace?.optOutAnswer) return
    const stops = said.filter(message => wishIn(message.said ?? '', workspace)?.value === 'stop')
    for (const message of stops) await answer(parts, channel, message, workspace.optOutAnswer)
  } catch (error) {
    if (error instanceof Unavailable || error instanceof OutcomeUnknown) throw error
    parts.log.error({ channelId: channel.id, error: messageOf(error) }, unanswered)
  }
}

const unanswered = 'who opted out by a word was not answered'

async function answer(
  { store: { read }, sending, log }: Parts,
  { id: channelId, workspaceId }: Channel,
  { at, channelMessageId, from, upstreamPhoneId }: Inbound,
  content: string,
): Promise<void> {
  // Later a repeated callback could find no idempotency key any more.
  if (sending.clock.now() - at >= Math.min(windowMs, sending.idempotencyTtlMs)) return
  const addresses = [from.phone, from.userId].filter(address => address !== null)
  const [contact] = (await read.contactsAt({ workspaceId, addresses })).values()
  const since = digestOf(channelMessageId)
  const wish = contact && ownWishOf(await read.updates(contact.id))
  if (!contact || wish?.value !== 'stop' || wish.since !== since) return
  const line = (await read.lines(workspaceId)).find(
    known => known.channelId === channelId && known.upstreamPhoneId === upstreamPhoneId,
  )
  const body = { type: 'text', contactId: contact.id, phoneNumberId: line?.id, content, requireOpenWindow: true }
  const send = checkSendBody({ ...body, idempotencyKey: `opt-out-${since}`, reference })
  if (!send.ok) throw new Error('the text of the answer cannot be sent')
  const caller: SendCaller = {
    ...{ workspaceId, keyId: null, lineIds: null, onOptOut: null, scope: workspaceId },
    ...{ requestId: null, traceparent: null, settings: null },
    renew: async () => caller,
  }
  const outcome = await sendMessage({ ...sending, sendWaitMs: 0 }, caller, send.value)
  if (outcome.kind === 'refused') log.warn({ channelId, reason: outcome.refusal.reason }, unanswered)
}
