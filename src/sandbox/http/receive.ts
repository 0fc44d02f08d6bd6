import { dayMs } from '../../base/durations.ts'
import { isObject, isText, type JsonObject, parseJson } from '../../base/json.ts'
import { takenSend } from '../../base/takenSend.ts'
import { reactionDays, userIdPattern, windowMs } from '../../base/upstreamLimits.ts'
import { isUserId, type Pricing, pricingOf, type SandboxLine, type SentMessage } from '../callbacks/statuses.ts'
import { checkContent } from '../checks/content.ts'
import { checkDirectSend, directCategoryOf } from '../checks/directSend.ts'
import { checkFrame, checkMarkAsRead } from '../checks/messages.ts'
import { PROBLEMS } from '../checks/problems.ts'
import { jsonReply, type Refusal, refusalReply } from '../checks/refusals.ts'
import { checkTemplate } from '../checks/template.ts'
import type { Behaviour } from '../faults/faults.ts'
import { isMagic } from '../faults/magic.ts'
import { isBlocked } from '../state/blocked.ts'
import type { JournalOutcome, JournalRecord } from '../state/journal.ts'
import { waIdOf } from '../state/phone.ts'
import { newWamid, pairOf } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { answered, answerKindOf, faultRefusal, isDone, type Reply, replyOf } from './reply.ts'

const usual: Behaviour = {}

/** What the journal keeps of every request. */
type Seen = Pick<JournalRecord, 'at' | 'kind' | 'line' | 'to' | 'waId' | 'bodySha256' | 'opaque' | 'body'>

/** A message that passed every check. */
interface Accepted {
  readonly pricing: Pricing
  readonly templateId: string | undefined
  /** What happens to it unless a fault or a magic recipient says otherwise. */
  readonly behaviour: Behaviour
  readonly isTemplate: boolean
  readonly isToGroup: boolean
  readonly flowToken: string | undefined
}

/**
 * One request to `/<LINE>/messages`: the checks in the upstream's order, the throttles, then the faults on demand and
 * the magic recipients. The journal has the outcome before this returns.
 * @param raw  the body's bytes as received
 * @returns a promise only where callbacks have to go out before the answer
 */
export function receiveMessage(state: SandboxState, line: SandboxLine, raw: Uint8Array): Reply | Promise<Reply> {
  const text = Buffer.from(raw).toString()
  const parsed = parseJson(text)
  const body = isObject(parsed) ? takenSend(parsed) : undefined
  const isSend = body?.status === undefined
  const to = body && addresseeOf(body)
  const seen: Seen = {
    at: state.clock.now(),
    kind: isSend ? 'send' : 'markAsRead',
    line: line.id,
    to,
    waId: body && recipientOf(body, line),
    bodySha256: new Bun.CryptoHasher('sha256').update(raw).digest('hex'),
    opaque: isText(body?.biz_opaque_callback_data) ? body.biz_opaque_callback_data : undefined,
    body: { text, bytes: raw.length, json: parsed },
  }
  if (!body) return refuse(state, seen, parsed === undefined ? PROBLEMS.unreadable() : PROBLEMS.notAnObject('$'))
  if (!isSend) {
    const refusal = checkMarkAsRead(body)
    if (refusal) return refuse(state, seen, refusal)
    state.journal.record({ ...seen, outcome: 'accepted' })
    return answered(jsonReply(200, { success: true }))
  }
  const checked = checkMessage(state, line, body, seen.waId)
  if ('code' in checked) return refuse(state, seen, checked)
  const waId = seen.waId ?? ''
  const throttled = state.throttles.admitSend(line.id, waId)
  if (throttled) return refuse(state, seen, throttled)
  const fault = state.faults.strike('messages', line.id, waId) ?? state.magic.strike(line.id, waId)
  return perform(state, line, seen, checked, waId, fault)
}

function refuse(state: SandboxState, seen: Seen, refusal: Refusal): Reply {
  state.journal.record({ ...seen, outcome: 'refused', code: refusal.code })
  return answered(refusalReply(refusal, state.random))
}

/** If both are given, `to` wins. */
const addresseeOf = (body: JsonObject): string | undefined =>
  isText(body.to) ? body.to : isText(body.recipient) ? body.recipient : undefined

/** @returns the digits the message goes to, the user id or the group id; nothing if the number cannot be one. */
function recipientOf(body: JsonObject, line: SandboxLine): string | undefined {
  if (isText(body.to)) {
    if (isToGroup(body)) return body.to
    if (isMisplaced(body)) return body.to.replace(/\D/g, '') || undefined
    // Most clients send digits alone. A magic number is used as it is, whatever the line's country.
    return waIdOf(isMagic(body.to) ? `+${body.to}` : body.to, line.countryCode)
  }
  return isText(body.recipient) ? body.recipient : undefined
}

/** A user id in place of a number is taken, and its digits are written to as one: the message is lost. */
const isMisplaced = (body: JsonObject): boolean => !isToGroup(body) && isText(body.to) && userIdPattern.test(body.to)

const isToGroup = (body: JsonObject) => body.recipient_type === 'group'

function checkMessage(
  state: SandboxState,
  line: SandboxLine,
  body: JsonObject,
  waId: string | undefined,
): Accepted | Refusal {
  const frame = checkFrame(body)
  if (frame) return frame
  if (waId === undefined) return PROBLEMS.invalid('Recipient phone number is not valid')
  if (`+${waId}` === line.number) return PROBLEMS.recipientIsSender()
  if (isBlocked(state, line.id, waId)) return PROBLEMS.userBlocked()
  const type = isText(body.type) ? body.type : 'text'
  const misused = checkDirectSend(body, state.settings.directSend)
  if (misused) return misused
  const context = { templates: state.templates, media: state.media, lineId: line.id, now: state.clock.now() }
  if (type === 'template') {
    const result = checkTemplate(body.template, context)
    if ('refusal' in result) return result.refusal
    if (result.plan.authentication && body.to === undefined) return { code: 131062 }
    const tokens = result.sent.buttons.map(({ parameters }) => tokenOf(parameters[0]?.value.action))
    const flowToken = tokens.find(token => token !== undefined)
    return {
      ...pricedAs(result.plan.template.category.toLowerCase(), state, line, waId),
      templateId: undefined,
      behaviour: isMisplaced(body) ? lost : usual,
      isTemplate: true,
      isToGroup: isToGroup(body),
      flowToken,
    }
  }
  const content = checkContent(type, body[type], context)
  if (content) return content
  if (isObject(body.interactive) && body.interactive.type === 'voice_call' && !state.settings.calling)
    return PROBLEMS.callsOff()
  const direct = directCategoryOf(body)
  if (!direct && state.settings.windowRequired && !isWindowOpen(state, line, waId)) return PROBLEMS.windowClosed()
  return {
    ...pricedAs(direct ?? 'service', state, line, waId),
    templateId: direct && directTemplate(state, body, direct),
    behaviour: isMisplaced(body) ? lost : behaviourOf(state, body),
    isTemplate: false,
    isToGroup: isToGroup(body),
    flowToken: flowTokenOf(body.interactive),
  }
}

function isWindowOpen(state: SandboxState, line: SandboxLine, waId: string): boolean {
  const openedAt = state.windows.get(pairOf(line.id, waId))?.at
  return openedAt !== undefined && state.clock.now() - openedAt < windowMs
}

function pricedAs(category: string, state: SandboxState, line: SandboxLine, waId: string): Pick<Accepted, 'pricing'> {
  const at = state.clock.now()
  const isFreeEntry = at < (state.windows.get(pairOf(line.id, waId))?.freeUntil ?? 0)
  return { pricing: pricingOf(category, { at, isOpen: isWindowOpen(state, line, waId), isFreeEntry }) }
}

/** No callback ever comes. */
const lost: Behaviour = { callbacks: [] }

/** A reaction is never told of as delivered, and one to what cannot have any fails; a voice message is played. */
function behaviourOf(state: SandboxState, { type, reaction, audio }: JsonObject): Behaviour {
  if (type === 'reaction' && isObject(reaction)) {
    const to = state.received.get(String(reaction.message_id))
    const isPossible = to && !to.isReaction && state.clock.now() - to.at < reactionDays * dayMs
    return { callbacks: [isPossible ? { status: 'sent' } : { status: 'failed', code: 131009 }] }
  }
  if (type !== 'audio' || !isObject(audio) || audio.voice !== true) return usual
  const { sentAfterMs, deliveredAfterMs, readAfterMs } = state.settings.callbacks
  return {
    callbacks: [
      { status: 'sent', afterMs: sentAfterMs },
      { status: 'delivered', afterMs: deliveredAfterMs },
      { status: 'read', afterMs: readAfterMs },
      { status: 'played', afterMs: readAfterMs },
    ],
  }
}

/** What is sent directly is listed as a template that nobody can send, edit or delete. @returns its id */
function directTemplate(state: SandboxState, body: JsonObject, category: string): string | undefined {
  const { text, interactive, direct_send_config: config } = body
  const content = isObject(text)
    ? text.body
    : isObject(interactive) && isObject(interactive.body) && interactive.body.text
  const hash = new Bun.CryptoHasher('sha256').update(String(content)).digest('hex').slice(0, 12)
  const given = isObject(config) && isText(config.template_name) ? config.template_name : undefined
  return state.templates.put({
    name: given ?? `auto_generated_${hash}`,
    language: 'en',
    category: category.toUpperCase(),
    source: 'AUTO_GENERATED',
    components: [{ type: 'BODY', text: String(content) }],
  })?.id
}

function flowTokenOf(interactive: unknown): string | undefined {
  const action = isObject(interactive) ? interactive.action : undefined
  return tokenOf(isObject(action) ? action.parameters : undefined)
}

/** @returns the token that a flow's reply will carry, so that an inbound reply can be made to fit. */
const tokenOf = (flow: unknown): string | undefined =>
  isObject(flow) && isText(flow.flow_token) ? flow.flow_token : undefined

function perform(
  state: SandboxState,
  line: SandboxLine,
  seen: Seen,
  accepted: Accepted,
  waId: string,
  fault: { readonly id: string; readonly behaviour: Behaviour } | undefined,
): Reply | Promise<Reply> {
  // What goes out in spite of a fault is told of as what it is: a reaction is not read.
  const usually = fault && !isDone(fault.behaviour) ? usual : accepted.behaviour
  const wanted = { ...usually, ...fault?.behaviour }
  // Pacing exists only for templates: nothing else is ever held.
  const behaviour: Behaviour =
    wanted.answer === 'held' && !accepted.isTemplate ? { ...wanted, answer: 'accept' } : wanted
  const wamid = newWamid(state.random, waId)
  const sent = isDone(behaviour)
  const answerKind = answerKindOf(behaviour)
  const outcome: JournalOutcome = sent
    ? answerKind === 'success'
      ? 'accepted'
      : 'lost'
    : answerKind === 'refusal'
      ? 'refused'
      : 'dropped'
  state.journal.record({
    ...seen,
    outcome,
    ...(answerKind === 'refusal' && { code: faultRefusal(behaviour).code }),
    ...(sent && { wamid }),
    ...(fault && { fault: fault.id }),
  })
  const message: SentMessage = {
    wamid,
    line,
    waId,
    isGroup: accepted.isToGroup,
    at: seen.at,
    opaque: seen.opaque,
    pricing: accepted.pricing,
    templateId: accepted.templateId,
    flowToken: accepted.flowToken,
  }
  if (sent) state.statuses.remember(message)
  const callbacks = sent || behaviour.callbacks ? state.statuses.plan(message, behaviour) : undefined
  const success = jsonReply(200, {
    messaging_product: 'whatsapp',
    contacts: [contactOf(seen, message)],
    messages: [{ id: wamid, ...messageStatus(state, accepted, behaviour) }],
  })
  const reply = replyOf(behaviour, success, state.random)
  return callbacks ? callbacks.then(() => reply) : reply
}

/** A message to a user id is answered with that id and without a number. */
function contactOf({ to }: Seen, { waId, isGroup }: SentMessage): JsonObject {
  return isUserId({ waId, isGroup }) ? { input: to, user_id: waId } : { input: to, wa_id: waId }
}

function messageStatus(state: SandboxState, accepted: Accepted, behaviour: Behaviour): JsonObject {
  if (behaviour.answer === 'held') return { message_status: 'held_for_quality_assessment' }
  return accepted.isTemplate && state.settings.messageStatus ? { message_status: 'accepted' } : {}
}
