import { normalizePhone } from '../channel/phone.ts'
import { GatewayError, type Issue, invalid } from '../errors.ts'
import { checkInteractive } from '../interactive/check.ts'
import { fingerprint } from '../messages/fingerprint.ts'
import type { RequestedContent, SendRequest } from '../messages/request.ts'
import { type Check, type Checked, check, type Static, Type } from '../schema.ts'
import { checkForwardedComponents } from '../templates/components.ts'
import { idempotencyKeyLengthMax, interactiveSendSchema, templateSendSchema, textSendSchema } from './sendSchema.ts'

type TextSend = Static<typeof textSendSchema>
type TemplateSend = Static<typeof templateSendSchema>
type InteractiveSend = Static<typeof interactiveSendSchema>
type SendBody = TextSend | TemplateSend | InteractiveSend

const kindSchema = Type.Object({ type: Type.Enum(['text', 'template', 'interactive']) })
const checkKind = check(kindSchema)
const branches: Record<SendBody['type'], Check<SendBody>> = {
  text: check(textSendSchema),
  template: check(templateSendSchema),
  interactive: check(interactiveSendSchema),
}

/**
 * Checks a send body and reports every problem at once, with JSON Pointers.
 * @returns the request; its idempotency key may still be joined by the one of the header
 */
export function checkSendBody(input: unknown): Checked<SendRequest> {
  const kind = checkKind(input)
  if (!kind.ok) return kind
  const { type } = kind.value
  const branch = branches[type](input)
  const rules = brokenRules(input as Readonly<Record<string, unknown>>)
  if (!branch.ok) {
    const reported = new Set(branch.issues.map(issue => issue.path))
    return { ok: false, issues: [...branch.issues, ...rules.filter(issue => !reported.has(issue.path))] }
  }
  if (rules.length > 0) return { ok: false, issues: rules }
  return { ok: true, value: toRequest(branch.value) }
}

/** The rules that span fields, or say more than a schema can. They look at a body that may be malformed elsewhere. */
function brokenRules(body: Readonly<Record<string, unknown>>): Issue[] {
  const issues: Issue[] = []
  const { phone, contactId, templateComponents } = body
  if (phone === undefined && contactId === undefined) {
    issues.push({ path: '/phone', message: 'is required, unless contactId is given' })
  }
  if (phone !== undefined && contactId !== undefined) {
    issues.push({ path: '/contactId', message: 'must not be given together with phone: one message, one recipient' })
  }
  if (typeof phone === 'string' && normalizePhone(phone) === null) {
    issues.push({ path: '/phone', message: 'is not an international number: country code first, digits only' })
  }
  if (body.revalidateFlowSession === true && contactId === undefined) {
    issues.push({ path: '/revalidateFlowSession', message: 'needs contactId: flow sessions belong to contacts' })
  }
  if (body.type === 'template') {
    if (!templateValueFields.some(field => body[field] !== undefined)) {
      issues.push({
        path: '/templateVariables',
        message: `is required, unless one of ${templateValueFields.slice(1).join(', ')} is given; {} when the template has no variables`,
      })
    }
    if (templateComponents !== undefined) issues.push(...checkForwardedComponents(templateComponents))
  }
  if (body.type === 'interactive' && typeof body.content === 'string') {
    const interactive = checkInteractive(body.content)
    if (!interactive.ok) issues.push(...interactive.issues)
  }
  return issues
}

const templateValueFields = ['templateVariables', 'templateComponents', 'bodyParameters', 'carousel'] as const

function toRequest(body: SendBody): SendRequest {
  return {
    phone: body.phone === undefined ? null : normalizePhone(body.phone),
    contactId: body.contactId ?? null,
    phoneNumberId: body.phoneNumberId ?? null,
    content: toContent(body),
    revalidateFlowSession: body.revalidateFlowSession ?? false,
    idempotencyKey: body.idempotencyKey ?? null,
    fingerprint: () => fingerprint(body),
  }
}

/**
 * Joins the key of the body with the one of the `Idempotency-Key` header: one of them, or both alike.
 * @throws GatewayError VALIDATION_ERROR when they differ or the header's is no key
 */
export function withHeaderKey(request: SendRequest, header: string | null): SendRequest {
  if (header === null) return request
  const problem =
    header === ''
      ? 'is empty in the Idempotency-Key header'
      : header.length > idempotencyKeyLengthMax
        ? `must not have more than ${idempotencyKeyLengthMax} characters in the Idempotency-Key header`
        : request.idempotencyKey !== null && request.idempotencyKey !== header
          ? 'differs from the Idempotency-Key header: send one of them, or both alike'
          : null
  if (problem !== null) throw new GatewayError(invalid([{ path: '/idempotencyKey', message: problem }]))
  return { ...request, idempotencyKey: header }
}

function toContent(body: SendBody): RequestedContent {
  switch (body.type) {
    case 'text':
      return { type: 'text', body: body.content }
    case 'interactive': {
      const interactive = checkInteractive(body.content)
      if (!interactive.ok) throw new Error('an interactive payload passed its check and then failed it')
      return { type: 'interactive', payload: interactive.payload, flow: interactive.flow ?? null }
    }
    case 'template': {
      const { templateVariables, bodyParameters, carousel } = body
      return {
        type: 'template',
        name: body.templateName,
        language: body.templateLanguage,
        components: body.templateComponents,
        values: { templateVariables, bodyParameters, carousel },
      }
    }
  }
}
