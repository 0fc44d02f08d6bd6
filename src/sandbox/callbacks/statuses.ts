import type { Clock, EpochMs } from '../../base/clock.ts'
import type { JsonObject } from '../../base/json.ts'
import { serviceChargedFrom } from '../../base/upstreamLimits.ts'
import { REFUSALS } from '../checks/refusals.ts'
import type { Behaviour, StatusStep } from '../faults/faults.ts'
import type { PaymentInput } from '../http/inputs.ts'
import { BoundedMap } from '../state/bounded.ts'
import { BOUNDS } from '../state/defaults.ts'
import { onlyDigits } from '../state/phone.ts'
import { pairOf, userIdOf } from '../state/random.ts'
import type { CallbackSettings } from '../state/settings.ts'
import type { CallbackSender } from './delivery.ts'
import type { Update } from './envelope.ts'
import { TimerQueue } from './timerQueue.ts'

export interface SandboxLine {
  readonly id: string
  readonly number: string
  readonly countryCode: string
}

/** A message that was sent. */
export interface SentMessage {
  readonly wamid: string
  readonly line: SandboxLine
  /** Digits, a user id, or a group's id. */
  readonly waId: string
  readonly isGroup: boolean
  readonly at: EpochMs
  readonly opaque: string | undefined
  readonly pricing: Pricing
  /** Of what Direct Send has made a template of. */
  readonly templateId: string | undefined
  readonly flowToken: string | undefined
}

/** @returns whether the message went to a user who is known by an id, and not by a number. */
export const isUserId = ({ waId, isGroup }: Pick<SentMessage, 'waId' | 'isGroup'>) => !isGroup && !/^\d/.test(waId)

/** What the upstream says of the price (docs/upstream.md#prices). */
export interface Pricing {
  readonly billable: boolean
  readonly pricing_model: 'PMP'
  readonly type: 'regular' | 'free_customer_service' | 'free_entry_point'
  readonly category: string
}

/** @param category `service`, or that of the template */
export function pricingOf(
  category: string,
  { at, isOpen, isFreeEntry }: { readonly at: EpochMs; readonly isOpen: boolean; readonly isFreeEntry: boolean },
): Pricing {
  const isFreeService = at < serviceChargedFrom && (category === 'service' || (category === 'utility' && isOpen))
  const type = isFreeEntry ? 'free_entry_point' : isFreeService ? 'free_customer_service' : 'regular'
  return { billable: type === 'regular', pricing_model: 'PMP', type, category }
}

interface Step extends StatusStep {
  readonly afterMs: number
}

/** Posts the status callbacks of sent messages, each at its time on the clock. */
export class Statuses {
  readonly #clock: Clock
  readonly #delivery: CallbackSender
  readonly #settings: () => CallbackSettings
  readonly #usernameOf: (userId: string) => string | undefined
  readonly #timers: TimerQueue
  readonly #sent = new BoundedMap<string, SentMessage>(BOUNDS.sentMessages)
  readonly #lastOfPair = new BoundedMap<string, SentMessage>(BOUNDS.pairs)
  /** Incremented by `clear`: messages of an earlier run get no more callbacks. */
  #generation = 0

  /** @param usernameOf the username of who has this user id */
  constructor(
    clock: Clock,
    delivery: CallbackSender,
    settings: () => CallbackSettings,
    usernameOf: (userId: string) => string | undefined,
  ) {
    this.#usernameOf = usernameOf
    this.#clock = clock
    this.#delivery = delivery
    this.#settings = settings
    this.#timers = new TimerQueue(clock, BOUNDS.timedCallbacks)
  }

  get waiting(): number {
    return this.#timers.size
  }

  get dropped(): number {
    return this.#timers.dropped
  }

  /** Remembers a message, so that control routes can name it and replies can quote it. */
  remember(message: SentMessage): void {
    this.#sent.set(message.wamid, message)
    this.#lastOfPair.touch(pairOf(message.line.id, message.waId), message)
  }

  find(wamid: string): SentMessage | undefined {
    return this.#sent.get(wamid)
  }

  /** @returns the latest message from this line to this user. */
  lastTo(lineId: string, waId: string): SentMessage | undefined {
    return this.#lastOfPair.get(pairOf(lineId, waId))
  }

  /**
   * Plans the callbacks of a message.
   * @returns a promise when they have to be posted before the send is answered, else nothing
   */
  plan(message: SentMessage, behaviour: Behaviour): Promise<void> | undefined {
    const settings = this.#settings()
    const steps = stepsOf(behaviour, settings)
    if (steps.length === 0) return undefined
    if (behaviour.early ?? settings.early) return this.#tellNow(message, steps)
    for (const step of steps)
      this.#timers.add(step.afterMs, () => this.#delivery.enqueue(this.update(message, step, this.#clock.now())))
    return undefined
  }

  /** Builds one status callback. */
  update(message: SentMessage, step: StatusStep, now: EpochMs): Update {
    const { line, waId, isGroup } = message
    const userId = isGroup ? undefined : isUserId(message) ? waId : userIdOf(waId)
    const username = userId === undefined ? undefined : this.#usernameOf(userId)
    const user = userId === undefined ? undefined : { userId, username }
    return { field: 'messages', lineId: line.id, value: statusValue(message, step, now, this.#settings(), user) }
  }

  /** Builds a callback about the payment that a message asked for. */
  payment({ wamid, line, waId }: SentMessage, input: PaymentInput, now: EpochMs): Update {
    const { status, reference = 'order-1', amount: value = 21_000, currency = 'INR' } = input
    const timestamp = String(Math.floor(now / 1_000) + this.#settings().timestampShiftS)
    const amount = { value, offset: 100 }
    const succeeded = status === 'captured' ? 'success' : status
    const transaction = { id: `order_${reference}`, type: 'razorpay', status: succeeded, amount, currency }
    const payment = { reference_id: reference, amount, currency, transaction }
    const told = { id: wamid, recipient_id: waId, type: 'payment', status, timestamp, payment }
    return {
      ...{ field: 'messages', lineId: line.id },
      value: { messaging_product: 'whatsapp', metadata: metadataOf(line), statuses: [told] },
    }
  }

  clear(): void {
    this.#generation += 1
    this.#timers.clear()
    this.#sent.clear()
    this.#lastOfPair.clear()
  }

  async #tellNow(message: SentMessage, steps: readonly Step[]): Promise<void> {
    const generation = this.#generation
    for (const step of steps) {
      if (generation !== this.#generation) return
      await this.#delivery.deliverNow([this.update(message, step, this.#clock.now())])
    }
  }
}

function stepsOf(behaviour: Behaviour, settings: CallbackSettings): Step[] {
  if (settings.silent) return []
  const heldMs = behaviour.answer === 'held' ? (behaviour.heldMs ?? 0) : 0
  const natural: Step[] =
    behaviour.answer === 'held' && behaviour.dropped
      ? [{ status: 'failed', afterMs: heldMs, code: 132015 }]
      : (behaviour.callbacks?.map((step, at) => ({
          ...step,
          afterMs: step.afterMs ?? settings.sentAfterMs + settings.deliveredAfterMs * at,
        })) ?? [
          { status: 'sent', afterMs: heldMs + settings.sentAfterMs },
          { status: 'delivered', afterMs: heldMs + settings.deliveredAfterMs },
          { status: 'read', afterMs: heldMs + settings.readAfterMs },
        ])
  const steps = (behaviour.reversed ?? settings.reversed) ? backwards(natural) : natural
  const copies = behaviour.copies ?? settings.copies
  return copies === 1 ? steps : steps.flatMap(step => Array.from({ length: copies }, () => step))
}

/** The statuses in reverse order; the times stay. */
function backwards(steps: readonly Step[]): Step[] {
  return steps.map((step, at) => ({ ...(steps[steps.length - 1 - at] ?? step), afterMs: step.afterMs }))
}

/** The value of a status callback. @param user who it was sent to; undefined: a group */
function statusValue(
  message: SentMessage,
  step: StatusStep,
  now: EpochMs,
  settings: CallbackSettings,
  user: { readonly userId: string; readonly username: string | undefined } | undefined,
): JsonObject {
  const isFailed = step.status === 'failed'
  const toUserId = isUserId(message)
  const isShown = toUserId || ((settings.userIds || user?.username !== undefined) && !isFailed)
  const userId = isShown ? user?.userId : undefined
  const isNamed = user?.username !== undefined && (step.status === 'delivered' || step.status === 'read')
  const withNumber = !settings.withoutRecipientId && !toUserId
  const isPriced = step.status === 'sent' || step.status === 'delivered'
  const withOpaque = message.opaque !== undefined && !(isFailed && settings.failedWithoutOpaque)
  const status = {
    id: message.wamid,
    status: step.status,
    timestamp: String(Math.floor(now / 1_000) + settings.timestampShiftS),
    ...(withNumber && { recipient_id: message.waId }),
    ...(message.isGroup && { recipient_type: 'group' }),
    ...(userId !== undefined && { recipient_user_id: userId }),
    ...(withOpaque && { biz_opaque_callback_data: message.opaque }),
    ...(isPriced && { pricing: message.pricing }),
    ...(message.templateId !== undefined && { template_id: message.templateId }),
    ...(isFailed && { errors: [errorOf(step, settings.codeAsText)] }),
  }
  const contact = {
    profile: { name: 'Sandbox User', ...(isNamed && { username: user.username }) },
    ...(withNumber && { wa_id: message.waId }),
    user_id: userId,
  }
  return {
    messaging_product: 'whatsapp',
    metadata: metadataOf(message.line),
    ...(userId !== undefined && !isFailed && { contacts: [contact] }),
    statuses: [status],
  }
}

/** The line of a callback. Digits only: the display form differs from place to place upstream as well. */
export function metadataOf(line: SandboxLine): JsonObject {
  return { display_phone_number: onlyDigits(line.number), phone_number_id: line.id }
}

function errorOf(step: StatusStep, codeAsText: boolean): JsonObject {
  const code = step.code ?? 131026
  const row = REFUSALS[code]
  const title = row?.title ?? 'An unknown error has occurred.'
  return {
    code: codeAsText ? String(code) : code,
    title,
    message: title,
    error_data: { details: step.details ?? row?.details ?? title },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  }
}
