import { Elysia } from 'elysia'
import { GatewayError, invalid } from '../../base/errors.ts'
import { closed, type Static, Type, wire } from '../../base/schema.ts'
import { contactOf } from '../../operations/contacts.ts'
import { idField } from '../../operations/fields.ts'
import { uploadedSchema } from '../../operations/fileReceiver.ts'
import { checkSendBody } from '../../operations/sends/sendBody.ts'
import { checkedSend } from '../../sending/check.ts'
import { guard } from '../guard.ts'
import { idempotencyKeyField, submit, submittedFields } from '../messages/submit.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { textOrNull, wired } from '../shapes.ts'

/** What the field of a conversation writes. */
const composedTypes = ['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'template'] as const

const body = wired('ComposedMessage', {
  idempotencyKey: { ...idempotencyKeyField, description: 'One for each draft: the same key sends nothing twice.' },
  phoneNumberId: idField,
  message: Type.Object(
    { type: Type.Enum([...composedTypes]) },
    { additionalProperties: true, description: 'As a caller of the API sends it, without its recipient.' },
  ),
})
/** What a draft is sent as. */
export type ComposedMessage = Static<typeof body>
const answer = wired('SubmittedMessage', submittedFields)

const checkBody = wired('MessageToCheck', {
  message: Type.Object(
    { type: Type.String() },
    { additionalProperties: true, description: 'As a caller of the API sends it.' },
  ),
})
const checkAnswer = wired('CheckedMessage', {
  sendable: Type.Boolean(),
  problems: Type.Array(closed({ path: Type.String(), message: Type.String() })),
  text: textOrNull,
})

/** Answers to people: messages from their conversation, and the files for them. */
export function composeRoutes(parts: ConsoleParts) {
  return new Elysia({ name: 'console-compose' })
    .use(guard(parts))
    .post(
      '/contacts/:contactId/messages',
      async ({ member, params, body: { message, ...named }, request, set }) => {
        const { id: contactId } = done(await contactOf(member, params.contactId))
        // Only templates may be sent later: what else was written fails then, so it is refused now.
        const isOfWindow = message.type !== 'template'
        const checked = checkSendBody({
          ...message,
          ...named,
          ...(isOfWindow && { requireOpenWindow: true }),
          contactId,
        })
        if (!checked.ok) throw new GatewayError(invalid(checked.issues))
        const submitted = await submit(parts, member, request, checked.value, { action: 'message.send', begins: true })
        set.status = submitted.isReplay ? 200 : 201
        return submitted
      },
      {
        role: 'member',
        body,
        response: { 200: answer, 201: answer },
        summary: 'Write to a contact',
        description:
          'As a partner would: it counts, and is paced. What is no template needs the open window of its line (409 ' +
          '`WINDOW_CLOSED`). The same key sends nothing twice.',
      },
    )
    .post(
      '/message-check',
      async ({ member: { workspaceId, turn }, body: { message } }) => {
        await turn()
        const caller = { workspaceId, lineIds: null, onOptOut: null, scope: workspaceId }
        const { sendable, problems, text } = await checkedSend(parts.sending, caller, checkSendBody(message))
        return { sendable, problems: problems.map(({ path, message: what }) => ({ path, message: what })), text }
      },
      {
        role: 'member',
        body: checkBody,
        response: checkAnswer,
        summary: 'Check a message',
        description: 'As `POST /messages/check` of the partner API: it stores, counts and sends nothing.',
      },
    )
    .post(
      '/media',
      async ({ member: { workspaceId }, file }) => {
        const received = await parts.receiveFile(workspaceId, file)
        if (!received.ok) throw new GatewayError(received.refusal)
        return received.file
      },
      {
        fileOf: 'member',
        response: wire(uploadedSchema),
        summary: 'Upload a file to send',
        description: 'A form with the field `file`, as `POST /media` of the partner API takes it.',
      },
    )
}
