import { isLongerThan } from '../../base/chars.ts'
import type { Issue } from '../../base/errors.ts'
import { field, isObject, isText, type JsonObject, text } from '../../base/json.ts'
import { readPhone } from '../../base/phone.ts'
import { type Checked, type Checker, checkCounted, closed, Type } from '../../base/schema.ts'
import { takenSend } from '../../base/takenSend.ts'
import { opaqueCharsMax, userIdPattern } from '../../base/upstreamLimits.ts'
import { freeformIssues, isFreeform, readFreeform } from '../../freeform/content.ts'
import { givenIdCharsMax } from '../../freeform/fields.ts'
import { messageNamedBy } from '../../graph/ownWamid.ts'
import { entriesProblem } from '../../http/body.ts'
import { checkInteractive } from '../../interactive/check.ts'
import { directCategories, messageTypes } from '../../message/words.ts'
import { blankIssues, idempotencyKeyProblem, isUnkept, wellFormed } from '../../operations/sends/sendBody.ts'
import { templateSendSchema, textSendSchema } from '../../operations/sends/sendSchema.ts'
import { contentOf } from '../../sending/again.ts'
import { directSendIssues, ttlSecondsMax, ttlSecondsMin } from '../../sending/directSend.ts'
import { fingerprint } from '../../sending/fingerprint.ts'
import type { SendRequest } from '../../sending/request.ts'
import { checkForwardedComponents } from '../../templates/forwardedComponents.ts'

/**
 * Reads a send of the platform's form (docs/drop-in.md#sending), as clients write it: a number with or without `+`, a
 * user id in `to`, `context: null`, a type that is left out.
 * @param lineId our id of the line that it names
 * @param headerKey the `Idempotency-Key` header; null: none
 */
export function readGraphSend(body: JsonObject, lineId: string, headerKey: string | null): Checked<SendRequest> {
  const tooMany = actionProblem(body)
  if (tooMany) return { ok: false, issues: [tooMany] }
  const taken = takenSend(body)
  const sent = translated({ ...taken, type: taken.type ?? 'text' })
  const formed = formIssues(sent)
  const recipient = recipientOf(body)
  const issues = [...('path' in recipient ? [recipient] : []), ...frameIssues(sent), ...formed]
  const content = contentOf(sent)
  if (content === null && formed.length === 0) issues.push(...contentIssues(sent))
  else if (content !== null && isFreeform(content.type))
    issues.push(...freeformIssues(content.type, content as unknown as JsonObject))
  if (content?.type === 'template' && content.components) issues.push(...checkForwardedComponents(content.components))
  const replyTo = field(body.context, 'message_id') ?? null
  if (!isKeptText(replyTo, givenIdCharsMax)) issues.push(wrong('context/message_id', textOf(givenIdCharsMax)))
  const opaque = body.biz_opaque_callback_data ?? null
  if (!isKeptText(opaque, opaqueCharsMax)) issues.push(wrong('biz_opaque_callback_data', textOf(opaqueCharsMax)))
  const keyProblem = idempotencyKeyProblem(undefined, headerKey)
  if (keyProblem !== null) issues.push({ path: 'Idempotency-Key', message: keyProblem })
  if (content === null || 'path' in recipient || issues.length > 0) return { ok: false, issues }
  return {
    ok: true,
    value: {
      ...recipient,
      contactId: null,
      phoneNumberId: lineId,
      content,
      replyTo: text(replyTo) && messageNamedBy(String(replyTo)),
      requireOpenWindow: false,
      revalidateFlowSession: false,
      idempotencyKey: headerKey,
      reference: text(opaque) || null,
      messageId: null,
      againOf: null,
      sendAt: null,
      body: null,
      fingerprint: () => fingerprint({ ...body, lineId }),
    },
  }
}

/** Its elements are counted before it is parsed, like those of the body. */
function actionProblem({ interactive }: JsonObject): Issue | null {
  const action = text(field(interactive, 'action'))
  return action === null ? null : entriesProblem('/interactive/action', action)
}

/** @returns whether it is a text that can be kept, or null */
const isKeptText = (given: unknown, charsMax: number): boolean =>
  given === null || (typeof given === 'string' && !isLongerThan(given, charsMax) && !isUnkept(given))
const textOf = (charsMax: number) => `must be a text of at most ${charsMax} characters, ${wellFormed}`

const wrong = (name: string, message: string): Issue => ({ path: `/${name}`, message })

const anything = Type.Optional(Type.Unknown())
/** What a send may have beside its content. Those without a form here are read further on. */
const checkFrame = checkCounted(
  closed({
    ...{ messaging_product: Type.Optional(Type.Enum(['whatsapp'])), recipient_type: anything, to: anything },
    ...{ recipient: anything, type: anything, biz_opaque_callback_data: anything },
    context: Type.Optional(Type.Object({})),
    category: Type.Optional(Type.Enum([...directCategories])),
    ttl_seconds: Type.Optional(Type.Integer({ minimum: ttlSecondsMin, maximum: ttlSecondsMax })),
  }),
)
/** Other contents are checked where they are read. */
const contentChecks: Readonly<Record<string, Checker<unknown>>> = {
  text: checkCounted(closed({ body: textSendSchema.properties.content, preview_url: Type.Optional(Type.Boolean()) })),
  template: checkCounted(
    closed({
      ...{ name: templateSendSchema.properties.templateName, components: anything },
      language: closed({ code: Type.String(), policy: Type.Optional(Type.String()) }),
    }),
  ),
}

/** The platform refuses what it does not know: left out, a message would seem to be sent as it was asked for. */
function frameIssues(sent: JsonObject): Issue[] {
  const { [String(sent.type)]: content, ...frame } = sent
  const { category, ttl_seconds: ttlSeconds, type } = frame
  const checked = checkFrame(frame)
  const isOther = category !== undefined && type !== 'text' && type !== 'interactive'
  const direct = {
    category,
    ttlSeconds,
    type,
    previewUrl: field(content, 'preview_url'),
    content: field(content, 'body'),
  }
  return [
    ...(checked.ok ? [] : checked.issues),
    ...(isOther ? [wrong('category', 'is for a text or an interactive message alone')] : []),
    ...(type === 'text' ? blankIssues(direct.content) : []),
    ...directSendIssues(direct, field(content, 'type')),
  ]
}

function formIssues(sent: JsonObject): Issue[] {
  const type = String(sent.type)
  const checked = sent[type] === undefined ? undefined : contentChecks[type]?.(sent[type])
  return checked === undefined || checked.ok
    ? []
    : checked.issues.map(({ path, message }) => ({ path: `/${type}${path}`, message }))
}

/**
 * What the platform takes of a content that the partner API has in one form alone. A reaction names its message in its
 * content; an empty emoji takes a reaction back, and any other empty text is none.
 */
function translated(sent: JsonObject): JsonObject {
  const { type } = sent
  const content = sent[String(type)]
  if (type === 'reaction' && isObject(content)) {
    const reactsTo = text(content.message_id)
    return reactsTo === null ? sent : { ...sent, reaction: { ...content, message_id: messageNamedBy(reactsTo) } }
  }
  if (!isFreeform(type) || type === 'reaction' || content === undefined) return sent
  const given = Array.isArray(content) ? content.map(card => withoutEmpty(card) ?? {}) : withoutEmpty(content)
  return { ...sent, [type]: type === 'location' && isObject(given) ? withDegrees(given) : given }
}

/** @returns the value without what says nothing: null, empty texts, and objects that have nothing else */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter(element => element !== undefined)
  if (!isObject(value)) return value === null || value === '' ? undefined : value
  const parts = Object.entries(value).map(([name, part]) => [name, withoutEmpty(part)] as const)
  const given = parts.filter(([, part]) => part !== undefined)
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** The platform's own page has the coordinates as texts. */
const withDegrees = (location: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(location).map(([name, given]) => [
      name,
      (name === 'latitude' || name === 'longitude') && isText(given) && degreesPattern.test(given)
        ? Number(given)
        : given,
    ]),
  )
const degreesPattern = /^-?\d{1,3}(\.\d+)?$/

/**
 * With both fields, the number counts, as on the platform. A user id in `to` is taken for what it is: the platform
 * answers one with 200, and never delivers the message.
 */
function recipientOf({
  to,
  recipient,
  recipient_type: kind,
}: JsonObject): Pick<SendRequest, 'phone' | 'userId'> | Issue {
  if (kind !== undefined && kind !== null && kind !== 'individual')
    return wrong('recipient_type', 'must be individual: messages to groups are not sent')
  const named = to ?? recipient
  const given = Number.isSafeInteger(named) ? String(named) : text(named)
  if (given === null) return wrong('to', 'must be a number, or a user id')
  if (userIdPattern.test(given)) return { phone: null, userId: given }
  const phone = readPhone(given)
  return phone.ok ? { phone: phone.number, userId: null } : wrong('to', phone.problem)
}

/** Why a content cannot be read, as exactly as it is known. */
function contentIssues(sent: JsonObject): Issue[] {
  const { type } = sent
  if (!messageTypes.some(known => known === type)) return [wrong('type', `must be one of ${messageTypes.join(', ')}`)]
  if (type === 'interactive' && isObject(sent.interactive)) {
    const checked = checkInteractive(JSON.stringify(sent.interactive))
    if (!checked.ok)
      return checked.issues.map(({ path, message }) => ({ path: path.replace(/^\/content/, '/interactive'), message }))
  }
  if (isFreeform(type) && sent[type] !== undefined) {
    const read = readFreeform(type, sent)
    if (!read.ok) return read.issues
  }
  return [wrong(String(type), 'is missing, or has a field of another form than the platform documents')]
}
