import { normalizePhone, phoneLengthMax } from '../channel/phone.ts'
import { GatewayError, type Issue, invalid } from '../errors.ts'
import { checkInteractive } from '../interactive/check.ts'
import { fingerprint } from '../messages/fingerprint.ts'
import type { RequestedContent, SendRequest } from '../messages/request.ts'
import { type Check, type Checked, check, type Static, type TProperties, Type } from '../schema.ts'
import { checkForwardedComponents } from '../templates/components.ts'

/** Contract, "Limits". */
const idempotencyKeyLengthMax = 255
/** Upstream reference 10: the body of a text message. */
const textLengthMax = 4096
/** Upstream reference 6: template names. Language codes have at most a dozen letters; ids of ours at most 34. */
const templateNameLengthMax = 512
const shortLengthMax = 64
/** Well over what a template can hold: ten cards with a body, a header and two buttons each. */
const variablesMax = 200
/** The upstream takes two to ten cards; the check against the template names the right number. */
const cardsMax = 20
/** Values have their own limit of 160 characters, reported with the rule that it comes from; this one only bounds. */
const valueLengthMax = 4096

const text = (maxLength: number, description: string, examples: string[] = []) =>
  Type.String({ minLength: 1, maxLength, description, ...(examples.length > 0 && { examples }) })

const common = {
  phone: Type.Optional(
    text(
      phoneLengthMax,
      'Recipient: country code and number; a leading + and separators are optional. Give either phone or contactId.',
      ['+4915112345678'],
    ),
  ),
  contactId: Type.Optional(text(shortLengthMax, 'Recipient: an existing contact. Give either phone or contactId.')),
  phoneNumberId: Type.Optional(
    text(shortLengthMax, 'The line to send from (`line_…`); required when the workspace has several active lines.'),
  ),
  idempotencyKey: Type.Optional(
    text(
      idempotencyKeyLengthMax,
      'The same key and body return the original message with 200; the same key and another body 409. ' +
        'May be given as the Idempotency-Key header instead.',
      ['order-1001-confirmation'],
    ),
  ),
  revalidateFlowSession: Type.Optional(
    Type.Boolean({
      description: "Closes the contact's active flow sessions before sending; only with contactId.",
    }),
  ),
} satisfies TProperties

const values = (description: string) =>
  Type.Record(Type.String({ minLength: 1 }), Type.String({ maxLength: valueLengthMax }), {
    maxProperties: variablesMax,
    description,
  })

const strict = { additionalProperties: false }

const cardSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0, maximum: cardsMax, description: 'The card in the template, 0-based.' }),
    bodyValues: Type.Optional(values('Numbered keys match {{n}}; named keys fill the body slots in their JSON order.')),
    buttonValues: Type.Optional(
      Type.Array(
        Type.Object(
          {
            index: Type.Integer({ minimum: 0, maximum: cardsMax }),
            sub_type: text(shortLengthMax, 'For example url.'),
            parameters: Type.Object(
              {
                type: text(shortLengthMax, 'text'),
                text: Type.Optional(Type.String({ maxLength: valueLengthMax })),
                payload: Type.Optional(Type.String({ maxLength: valueLengthMax })),
              },
              strict,
            ),
          },
          strict,
        ),
        { maxItems: cardsMax },
      ),
    ),
    header: Type.Optional(
      Type.Object(
        {
          format: text(shortLengthMax, 'image or video'),
          link: Type.Optional(text(valueLengthMax, 'A public https address; the service uploads the file.')),
          id: Type.Optional(text(shortLengthMax, 'The id of media that was uploaded before; digits.')),
        },
        strict,
      ),
    ),
  },
  strict,
)

export const textSendSchema = Type.Object(
  {
    type: Type.Literal('text'),
    content: text(textLengthMax, 'The text of the message.', ['Your parcel is on its way.']),
    ...common,
  },
  { ...strict, description: "Free text; only while the recipient's 24-hour window is open." },
)

export const templateSendSchema = Type.Object(
  {
    type: Type.Literal('template'),
    templateName: text(templateNameLengthMax, 'The name of an approved template.', ['order_confirmation']),
    templateLanguage: Type.Optional(
      text(shortLengthMax, 'Language code, short or locale form. With templateComponents it is passed on unchanged.', [
        'en_US',
      ]),
    ),
    templateVariables: Type.Optional(
      values(
        'The values of the template, at most 160 characters each: "1" for {{1}} (body, header text and URL buttons ' +
          'alike), copy_code, catalog_product_retailer_id, header_link or header, c0_1, c0_header_link, c0_header. ' +
          'The template list names the keys.',
      ),
    ),
    templateComponents: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'The upstream component format, forwarded untouched; the other values are not used then.',
      }),
    ),
    bodyParameters: Type.Optional(
      values('Values of the main body by slot number; they come after templateVariables and override them.'),
    ),
    carousel: Type.Optional(
      Type.Object({ cards: Type.Array(cardSchema, { maxItems: cardsMax }) }, { ...strict, description: 'The cards.' }),
    ),
    ...common,
  },
  {
    ...strict,
    description:
      'An approved template; at least one of templateVariables, templateComponents, bodyParameters, carousel.',
  },
)

/** Well over the largest payload that its own checks let through; interactive messages hold at most ten rows. */
const interactiveLengthMax = 65_536

export const interactiveSendSchema = Type.Object(
  {
    type: Type.Literal('interactive'),
    content: text(
      interactiveLengthMax,
      'A JSON string with the payload: kinds button, list, cta_url, flow and others.',
      [
        '{"type":"button","body":{"text":"Confirm your appointment?"},"action":{"buttons":[{"type":"reply","reply":{"id":"yes","title":"Yes"}}]}}',
      ],
    ),
    ...common,
  },
  { ...strict, description: "Buttons, lists and links; only while the recipient's 24-hour window is open." },
)

type TextSend = Static<typeof textSendSchema>
type TemplateSend = Static<typeof templateSendSchema>
type InteractiveSend = Static<typeof interactiveSendSchema>
type SendBody = TextSend | TemplateSend | InteractiveSend

/** For the API document; the branch that `type` names is checked alone, so that a problem is reported once. */
export const sendBodySchema = Type.Union([textSendSchema, templateSendSchema, interactiveSendSchema], {
  description: 'What to send, and to whom.',
})

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
