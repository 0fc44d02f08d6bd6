import { Elysia } from 'elysia'
import { GatewayError, invalid } from '../../base/errors.ts'
import { closed, Type } from '../../base/schema.ts'
import { givenRequestId } from '../../http/headers.ts'
import { idField } from '../../operations/fields.ts'
import { templateOf } from '../../operations/templates.ts'
import { checkSendBody } from '../../partner/sendBody.ts'
import { idempotencyKeyLengthMax } from '../../partner/sendSchema.ts'
import { sendMessage } from '../../sending/submission.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { wired } from '../shapes.ts'

const body = wired('TestSend', {
  phoneNumberId: idField,
  phone: { ...idField, description: 'Who gets it.' },
  idempotencyKey: Type.String({ minLength: 1, maxLength: idempotencyKeyLengthMax }),
  values: closed(
    {
      templateVariables: Type.Optional(Type.Unknown()),
      bodyParameters: Type.Optional(Type.Unknown()),
      carousel: Type.Optional(Type.Unknown()),
      templateComponents: Type.Optional(Type.Unknown()),
    },
    { description: 'The fields of a send that fill the template.' },
  ),
})
const answer = wired('TestSent', { messageId: Type.String(), status: Type.String(), isReplay: Type.Boolean() })

/** Sends a template to one number, in the same way as a partner: it counts and is paced like any send. */
export function testSendRoute(parts: ConsoleParts) {
  return new Elysia({ name: 'console-template-test', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).post(
    '/templates/:templateId/test',
    async ({ member, params, body, request }) => {
      const { workspaceId, write } = member
      const { template } = done(await templateOf(member, params.templateId))
      const { phone, phoneNumberId, idempotencyKey, values } = body
      const checked = checkSendBody({
        type: 'template',
        templateName: template.name,
        templateLanguage: template.language,
        phone,
        phoneNumberId,
        idempotencyKey,
        ...values,
      })
      if (!checked.ok) throw new GatewayError(invalid(checked.issues))
      const caller = {
        workspaceId,
        keyId: null,
        scope: workspaceId,
        requestId: givenRequestId(request),
        traceparent: request.headers.get('traceparent'),
        settings: null,
      }
      const outcome = await sendMessage(parts.sending, caller, checked.value)
      if (outcome.kind === 'refused') throw new GatewayError(outcome.refusal)
      await write.noteAction({ action: 'template.send-test', subject: outcome.message.id })
      return { messageId: outcome.message.id, status: outcome.message.status, isReplay: outcome.kind === 'replayed' }
    },
    {
      role: 'member',
      body,
      response: answer,
      summary: 'Send a test message',
      description: 'Sends the template to one number, as a partner would. The same key sends nothing twice.',
    },
  )
}
