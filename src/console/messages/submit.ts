import type { NotedAction } from '../../../db/contract/queries.ts'
import { GatewayError, type Refusal } from '../../base/errors.ts'
import { closed, Type } from '../../base/schema.ts'
import { givenRequestId } from '../../http/headers.ts'
import { idempotencyKeyLengthMax } from '../../operations/sends/sendSchema.ts'
import type { SendCaller, SendRequest } from '../../sending/request.ts'
import { submitMessage } from '../../sending/schedule.ts'
import type { MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'

export const idempotencyKeyField = Type.String({ minLength: 1, maxLength: idempotencyKeyLengthMax })

/** The values of a template, which a send checks by itself. */
export const templateValuesField = closed(
  {
    templateVariables: Type.Optional(Type.Unknown()),
    bodyParameters: Type.Optional(Type.Unknown()),
    carousel: Type.Optional(Type.Unknown()),
    templateComponents: Type.Optional(Type.Unknown()),
  },
  { description: 'The fields of a send that fill the template.' },
)

/** What is answered of a message that was sent in the console. */
export const submittedFields = { messageId: Type.String(), status: Type.String(), isReplay: Type.Boolean() }

/**
 * Sends in the same way as a partner does: it counts and is paced like any send, and a key sends nothing twice. The
 * audit keeps who sent it, and which message it repeats.
 * @param told.begins the first message to a person begins a conversation; `refused`: how a refusal is told at a
 *   field of the form
 * @throws GatewayError with what refused it
 */
export async function submit(
  { sending }: Pick<ConsoleParts, 'sending'>,
  { workspaceId, write, renew, clock }: MemberCaller,
  request: Request,
  send: SendRequest,
  told: { action: NotedAction; begins?: boolean; refused?: (refusal: Refusal) => Refusal },
) {
  const caller: SendCaller = {
    ...{ workspaceId, scope: workspaceId, keyId: null, lineIds: null, onOptOut: null, settings: null },
    requestId: givenRequestId(request),
    traceparent: request.headers.get('traceparent'),
    async renew() {
      await renew()
      return caller
    },
  }
  const { action, begins = false, refused = (refusal: Refusal) => refusal } = told
  const { againOf } = send
  const note = async (subject: string) => {
    await write.noteAction({ action, subject, ...(againOf !== null && { changes: { message: [againOf, subject] } }) })
    await write.noteSpoken({ workspaceId, messageIds: [subject], begins, at: clock.now() })
  }
  const outcome = await submitMessage(sending, caller, send)
  if (outcome.kind === 'refused') {
    const { reason, details } = outcome.refusal
    // The platform did: there is a message, which has failed.
    if (reason === 'CHANNEL_GRAPH_ERROR' && typeof details?.messageId === 'string') await note(details.messageId)
    throw new GatewayError(refused(outcome.refusal))
  }
  const { id, status } = outcome.message
  const isReplay = outcome.kind === 'replayed'
  if (!isReplay) await note(id)
  return { messageId: id, status, isReplay }
}
