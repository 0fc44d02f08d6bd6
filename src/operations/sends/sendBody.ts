import { isLongerThan } from '../../base/chars.ts'
import type { Issue } from '../../base/errors.ts'
import { unknownField } from '../../base/issueWords.ts'
import { field } from '../../base/json.ts'
import { readPhone } from '../../base/phone.ts'
import {
  type Checked,
  type Checker,
  check,
  type Static,
  type TSchema,
  tooManyEntries,
  withoutNulls,
} from '../../base/schema.ts'
import { freeformIn, freeformIssues, isFreeform } from '../../freeform/content.ts'
import { platformFields } from '../../graph/platformFields.ts'
import { entriesProblem } from '../../http/body.ts'
import { headerText } from '../../http/headers.ts'
import { type CheckedInteractive, checkInteractive } from '../../interactive/check.ts'
import type { MessageType } from '../../message/words.ts'
import { directSendIssues } from '../../sending/directSend.ts'
import { fingerprint } from '../../sending/fingerprint.ts'
import type { RequestedContent, SendRequest } from '../../sending/request.ts'
import { readSendAt, sendAtProblem } from '../../sending/sendAt.ts'
import { checkForwardedComponents } from '../../templates/forwardedComponents.ts'
import { idempotencyKeyLengthMax, recipientFields, sendSchemas as schemas, untypedSendSchema } from './sendSchema.ts'

type SendBody = { [Type in MessageType]: Static<(typeof schemas)[Type]> }[MessageType]

const branches = Object.fromEntries(
  Object.entries<TSchema>(schemas).map(([type, schema]) => [type, check(schema)]),
) as Readonly<Record<MessageType, Checker<SendBody>>>
/** For a body with a missing or unknown type: the checks that are still possible. */
const checkUntyped = check(untypedSendSchema)

/**
 * Checks a send and reports all problems at once, with JSON Pointers.
 * @param headerKey the `Idempotency-Key` header, which can replace the body's `idempotencyKey`
 */
export function checkSendBody(given: unknown, headerKey: string | null = null): Checked<SendRequest> {
  const tooMany = tooManyEntries(schemaOf(given), given)
  if (tooMany.length > 0) return { ok: false, issues: tooMany }
  const input = withoutNullFields(given)
  const fields: Fields = typeof input === 'object' && input !== null ? (input as Fields) : {}
  const { type } = fields
  const branch = isSendType(type) ? branches[type](input) : checkUntyped(input)
  const found = readAcrossFields(fields, headerKey)
  if (branch.ok && found.issues.length === 0 && isSendType(type)) {
    return { ok: true, value: toRequest(branch.value as SendBody, headerKey, found) }
  }
  const named = branch.ok ? [] : branch.issues.map(issue => withReason(issue, type))
  // Anything but an object has no fields to check.
  const more = named.some(({ path }) => path === '') ? [] : found.issues
  const paths = new Set(named.map(({ path }) => path))
  return { ok: false, issues: [...named, ...more.filter(({ path }) => !paths.has(path))] }
}

/** A null optional field counts as absent: a field of any type at the top level, of the named type below it. */
function withoutNullFields(given: unknown): unknown {
  const input = withoutNulls(untypedSendSchema, given)
  const schema = schemaOf(input)
  return schema === untypedSendSchema ? input : withoutNulls(schema, input)
}

/** Gives the reason for a field that exists, but not in this type or in this API. */
function withReason(issue: Issue, type: unknown): Issue {
  const name = issue.path.slice(1)
  const ours = Object.hasOwn(platformFields, name) ? platformFields[name] : undefined
  if (ours !== undefined && issue.message === unknownField) {
    return ours === null
      ? { ...issue, message: `${unknownField}: the upstream platform asks for it; here it is not needed` }
      : { ...issue, message: `${unknownField}: the upstream platform calls it so; here it is ${ours}` }
  }
  const isOfOtherType =
    isSendType(type) &&
    Object.hasOwn(untypedSendSchema.properties, name) &&
    !Object.hasOwn(schemas[type].properties, name)
  return isOfOtherType ? { ...issue, message: `does not belong to the type ${type}` } : issue
}

function schemaOf(given: unknown): TSchema {
  const type = field(given, 'type')
  return isSendType(type) ? schemas[type] : untypedSendSchema
}

type Fields = Readonly<Record<string, unknown>>

const isSendType = (type: unknown): type is MessageType => typeof type === 'string' && Object.hasOwn(branches, type)

/** The result of the rules across fields. The body may still be malformed elsewhere. */
interface Found {
  readonly issues: Issue[]
  /** `+` and digits. */
  readonly phone: string | null
  readonly interactive: CheckedInteractive | null
}

/** The rules across fields, and those that a schema cannot express. */
function readAcrossFields(body: Fields, headerKey: string | null): Found {
  const issues: Issue[] = []
  const { phone: given, templateComponents, content } = body
  const phone = typeof given === 'string' ? readPhone(given) : null
  const [first, ...others] = recipientFields.filter(field => body[field] !== undefined)
  if (first === undefined)
    issues.push({ path: '/phone', message: `is required, unless ${recipientFields.slice(1).join(' or ')} is given` })
  for (const other of others)
    issues.push({ path: `/${other}`, message: `must not be given together with ${first}: one message, one recipient` })
  if (phone && !phone.ok) issues.push({ path: '/phone', message: phone.problem })
  if (typeof body.sendAt === 'string' && readSendAt(body.sendAt) === null)
    issues.push({ path: '/sendAt', message: sendAtProblem })
  if (isUnkept(body.reference)) issues.push({ path: '/reference', message: notKept })
  const keyProblem = idempotencyKeyProblem(body.idempotencyKey, headerKey)
  if (keyProblem !== null) issues.push({ path: '/idempotencyKey', message: keyProblem })
  if (body.type === 'template') {
    if (!templateValueFields.some(field => body[field] !== undefined)) {
      issues.push({
        path: '/templateVariables',
        message:
          `is required, unless one of ${templateValueFields.slice(1).join(', ')} is given; {} when the ` +
          'template has no variables',
      })
    }
    if (templateComponents !== undefined) issues.push(...checkForwardedComponents(templateComponents))
  }
  if (body.type === 'text') issues.push(...blankIssues(content))
  if (isFreeform(body.type)) issues.push(...freeformIssues(body.type, body))
  const interactive = body.type === 'interactive' && typeof content === 'string' ? readInteractive(content) : null
  if (interactive && !interactive.ok) issues.push(...interactive.issues)
  issues.push(...directSendIssues(body, interactive?.ok ? interactive.payload.type : undefined))
  return { issues, phone: phone?.ok ? phone.number : null, interactive }
}

/** White space alone counts as empty for the upstream. The schema reports an empty text. */
export const blankIssues = (content: unknown): Issue[] =>
  typeof content === 'string' && content !== '' && content.trim() === ''
    ? [{ path: '/content', message: 'must not be white space alone' }]
    : []

/** The payload is JSON inside a text. Its elements are counted before it is parsed, like those of the body. */
function readInteractive(content: string): CheckedInteractive {
  const tooMany = entriesProblem('/content', content)
  return tooMany ? { ok: false, issues: [tooMany] } : checkInteractive(content)
}

const templateValueFields = ['templateVariables', 'templateComponents', 'bodyParameters', 'carousel'] as const

/** Half a surrogate pair cannot be written as UTF-8, and PostgreSQL keeps no NUL: other texts would become the same. */
export const isUnkept = (text: unknown) => typeof text === 'string' && (!text.isWellFormed() || text.includes('\0'))
export const wellFormed = 'well-formed Unicode without NUL'
const notKept = `must be ${wellFormed}`

/** Two headers of one name arrive as one, joined so (RFC 9110 5.3). */
const joint = ', '

/** @returns the `Idempotency-Key` header, once where it was given twice; null: there is none */
export function keyInHeader({ headers }: Request): string | null {
  const given = headers.get('idempotency-key')
  if (given === null) return null
  const [first = '', ...others] = headerText(given).split(joint)
  return others.every(other => other === first) ? first : headerText(given)
}

/**
 * The key may be in either place, or the same key in both.
 * @returns what is wrong with the idempotency key, behind the name of its field; null: nothing
 */
export function idempotencyKeyProblem(inBody: unknown, inHeader: string | null): string | null {
  if (isUnkept(inBody)) return notKept
  if (inHeader === null) return null
  if (inHeader === '') return 'is empty in the Idempotency-Key header'
  if (inHeader.includes(joint) && inHeader !== inBody)
    return 'is given by several Idempotency-Key headers, or has a comma and a space: send one, or the key in the body'
  if (isLongerThan(inHeader, idempotencyKeyLengthMax)) {
    return `must not have more than ${idempotencyKeyLengthMax} characters in the Idempotency-Key header`
  }
  if (inBody !== undefined && inBody !== inHeader) {
    return 'differs from the Idempotency-Key header: send one of them, or the same key in both'
  }
  return null
}

function toRequest(body: SendBody, headerKey: string | null, { phone, interactive }: Found): SendRequest {
  return {
    phone,
    contactId: body.contactId ?? null,
    userId: body.userId ?? null,
    phoneNumberId: body.phoneNumberId ?? null,
    content: toContent(body, interactive),
    replyTo: 'replyTo' in body ? (body.replyTo ?? null) : null,
    requireOpenWindow: 'requireOpenWindow' in body ? (body.requireOpenWindow ?? false) : false,
    revalidateFlowSession: body.revalidateFlowSession ?? false,
    idempotencyKey: body.idempotencyKey ?? headerKey,
    reference: body.reference ?? null,
    messageId: null,
    againOf: null,
    sendAt: body.sendAt === undefined ? null : readSendAt(body.sendAt),
    body: () => withoutTime(body),
    fingerprint: () => fingerprint(withOrderedValues(body)),
  }
}

const withoutTime = ({ sendAt: _, idempotencyKey: _key, ...body }: SendBody): object => body

/**
 * The named values of a card fill its slots in the order of their keys (docs/partner-api.md#carousel), so another order
 * is another message. With named placeholders the order does not matter, but that is known only with the template: so
 * another order counts as another body there, too.
 */
function withOrderedValues(body: SendBody): object {
  if (body.type !== 'template' || !body.carousel) return body
  const cards = body.carousel.cards.map(card => ({
    ...card,
    ...(card.bodyValues && { bodyValues: Object.entries(card.bodyValues) }),
  }))
  return { ...body, carousel: { ...body.carousel, cards } }
}

const toDirect = ({ category, ttlSeconds }: Static<typeof schemas.text | typeof schemas.interactive>) =>
  category === undefined ? null : { category, ttlSeconds: ttlSeconds ?? null }

function toContent(body: SendBody, interactive: CheckedInteractive | null): RequestedContent {
  switch (body.type) {
    case 'text':
      return { type: 'text', body: body.content, previewUrl: body.previewUrl ?? false, direct: toDirect(body) }
    case 'interactive':
      if (!interactive?.ok) throw new Error('toContent: the payload of an interactive send was not checked')
      return {
        type: 'interactive',
        payload: interactive.payload,
        flow: interactive.flow ?? null,
        direct: toDirect(body),
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
    default:
      return freeformIn(body)
  }
}
