import { dayMs, hourMs, secondMs } from '../../base/durations.ts'
import type { Issue } from '../../base/errors.ts'
import { closed, type Static, Type } from '../../base/schema.ts'
import { BOUNDS } from '../state/defaults.ts'

/** The answers to a request that should succeed. */
const answerKinds = [
  'accept',
  'error',
  'error_in_200',
  'html',
  'empty',
  'without_messages',
  'malformed',
  'truncated',
  'held',
  'reset_on_arrival',
  'reset',
  'reset_mid_body',
  'trickle',
  'hang',
] as const

const delayMs = Type.Integer({ minimum: 0, maximum: hourMs })
const code = Type.Integer({ minimum: 0, maximum: 10_000_000 })
/** One status callback of a message; without `afterMs` they come one `deliveredAfterMs` after the other. */
const statusStep = closed({
  status: Type.Enum(['sent', 'delivered', 'read', 'played', 'failed']),
  afterMs: Type.Optional(delayMs),
  /** Of `failed`. */
  code: Type.Optional(code),
  details: Type.Optional(Type.String({ maxLength: 1_000 })),
})
export type StatusStep = Static<typeof statusStep>

const behaviourFields = {
  answer: Type.Optional(Type.Enum([...answerKinds])),
  /** HTTP status of `error`, `html`, `empty`; each has its usual one. */
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  code: Type.Optional(code),
  subcode: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  title: Type.Optional(Type.String({ maxLength: 500 })),
  details: Type.Optional(Type.String({ maxLength: 1_000 })),
  transient: Type.Optional(Type.Boolean()),
  errorDataAsText: Type.Optional(Type.Boolean()),
  retryAfterS: Type.Optional(Type.Integer({ minimum: 0, maximum: dayMs / secondMs })),
  /** Delays only the answer; the message is sent at once. */
  afterMs: Type.Optional(delayMs),
  /** Whether the message is sent, independent of the answer. */
  sent: Type.Optional(Type.Boolean()),
  /** The callbacks that come instead of sent, delivered, read. They come even if nothing was sent. */
  callbacks: Type.Optional(Type.Array(statusStep, { maxItems: 50 })),
  copies: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  reversed: Type.Optional(Type.Boolean()),
  /** The callbacks are posted before the send is answered. */
  early: Type.Optional(Type.Boolean()),
  /** Only with `held`, for templates: released after this time, or dropped with 132015. */
  heldMs: Type.Optional(delayMs),
  dropped: Type.Optional(Type.Boolean()),
}
const behaviour = closed(behaviourFields)

/** How a request's result differs from an ordinary success. */
export type Behaviour = Readonly<Static<typeof behaviour>>

const phases = ['messages', 'media', 'templates', 'phone_numbers', 'subscribed_apps', 'other'] as const
export type FaultPhase = (typeof phases)[number]

/** A fault as the control route takes it: a behaviour, and which requests it applies to. */
export const faultInput = closed({
  ...behaviourFields,
  on: Type.Optional(Type.Enum([...phases])),
  line: Type.Optional(Type.String({ pattern: '^\\d{1,32}$' })),
  /** Digits, with or without `+`. */
  recipient: Type.Optional(Type.String({ pattern: '^\\+?\\d{7,15}$' })),
  /** For this many next requests; then the fault is removed. */
  next: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** Every nth request only. */
  every: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
})
export type FaultInput = Readonly<Static<typeof faultInput>>

/** Requests of the account name no line. */
const ofTheAccount: readonly FaultPhase[] = ['templates', 'phone_numbers', 'subscribed_apps']

/** @returns the reasons why the fault could never match a request, so that switching it on would have no effect. */
export function issuesOf({ on = 'messages', answer, line, recipient }: FaultInput): Issue[] {
  const issues: Issue[] = []
  if (line !== undefined && ofTheAccount.includes(on))
    issues.push({ path: '/line', message: `is not in requests of ${on}` })
  if (recipient === undefined) return issues
  if (on !== 'messages') issues.push({ path: '/recipient', message: `is not in requests of ${on}` })
  else if (answer === 'reset_on_arrival')
    issues.push({ path: '/recipient', message: 'is not known yet when the request arrives' })
  return issues
}

export interface Fault extends FaultInput {
  readonly id: string
  /** Requests that it matched, and those that it changed. */
  readonly seen: number
  readonly struck: number
}

interface LiveFault {
  readonly id: string
  readonly input: FaultInput
  readonly on: FaultPhase
  readonly waId: string | undefined
  seen: number
  struck: number
}

/** The faults that are switched on. Requests meet the oldest that matches; each counts its own requests. */
export class Faults {
  readonly #live: LiveFault[] = []
  #count = 0

  /** @returns the fault's id, or nothing when `BOUNDS.faults` are on already. */
  add(input: FaultInput): string | undefined {
    if (this.#live.length >= BOUNDS.faults) return undefined
    this.#count += 1
    const id = `fault_${this.#count}`
    const waId = input.recipient?.replace('+', '')
    this.#live.push({ id, input, on: input.on ?? 'messages', waId, seen: 0, struck: 0 })
    return id
  }

  /**
   * @param arrived true before the body is read: only `reset_on_arrival` applies then, and only then
   * @returns the behaviour for this request, and the id of the fault that causes it
   */
  strike(on: FaultPhase, lineId: string | undefined, waId: string | undefined, arrived = false) {
    for (const fault of this.#live) {
      if (fault.on !== on || (fault.input.answer === 'reset_on_arrival') !== arrived) continue
      if (fault.input.line !== undefined && fault.input.line !== lineId) continue
      if (fault.waId !== undefined && fault.waId !== waId) continue
      fault.seen += 1
      if (fault.input.every !== undefined && fault.seen % fault.input.every !== 0) continue
      fault.struck += 1
      if (fault.input.next !== undefined && fault.struck >= fault.input.next) this.remove(fault.id)
      return { id: fault.id, behaviour: fault.input as Behaviour }
    }
    return undefined
  }

  list(): Fault[] {
    return this.#live.map(({ id, input, seen, struck }) => ({ ...input, id, seen, struck }))
  }

  remove(id: string): boolean {
    const at = this.#live.findIndex(fault => fault.id === id)
    if (at >= 0) this.#live.splice(at, 1)
    return at >= 0
  }

  clear(): void {
    this.#live.length = 0
  }
}
