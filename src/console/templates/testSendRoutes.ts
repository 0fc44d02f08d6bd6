import { Elysia } from 'elysia'
import { GatewayError, invalid } from '../../base/errors.ts'
import { idField } from '../../operations/fields.ts'
import { checkSendBody } from '../../operations/sends/sendBody.ts'
import { templateOf } from '../../operations/templates.ts'
import { guard } from '../guard.ts'
import { idempotencyKeyField, submit, submittedFields, templateValuesField } from '../messages/submit.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { wired } from '../shapes.ts'

const body = wired('TestSend', {
  phoneNumberId: idField,
  phone: { ...idField, description: 'Who gets it.' },
  idempotencyKey: idempotencyKeyField,
  values: templateValuesField,
})
const answer = wired('TestSent', submittedFields)

/** Sends a template to one number, in the same way as a partner: it counts and is paced like any send. */
export function testSendRoute(parts: ConsoleParts) {
  return new Elysia({ name: 'console-template-test', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).post(
    '/templates/:templateId/test',
    async ({ member, params, body, request }) => {
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
      return submit(parts, member, request, checked.value, { action: 'template.send-test' })
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
