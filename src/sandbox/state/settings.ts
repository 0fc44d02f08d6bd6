import { dayMs, hourMs, minuteMs, secondMs } from '../../base/durations.ts'
import { closed, type Static, Type } from '../../base/schema.ts'
import { callbackUpdatesMax, linePerSecond, pairBurstMax, pairSeconds } from '../../base/upstreamLimits.ts'
import { DELAYS } from './defaults.ts'

const flag = Type.Boolean()
const count = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
/** A day: the longest delay that a test with a moved clock has asked for. */
const delayMs = count(0, dayMs)
/** A test that kills its gateway repeatedly needs every callback repeated until one start lives long enough. */
const retriesMax = 200
const callbackSettings = closed({
  sentAfterMs: delayMs,
  deliveredAfterMs: delayMs,
  readAfterMs: delayMs,
  /** Callbacks are posted before the send is answered. */
  early: flag,
  /** No status callback at all. */
  silent: flag,
  /** The statuses of a message come in the opposite order. */
  reversed: flag,
  /** How many times each status comes. */
  copies: count(1, 20),
  /** Updates per POST; they gather while `parallelMax` earlier ones are unanswered. */
  batchMax: count(1, callbackUpdatesMax),
  parallelMax: count(1, 64),
  signature: Type.Enum(['good', 'wrong', 'missing', 'truncated']),
  /** Writes `/` as `\/`, as the upstream did in earlier years. */
  escapeSlashes: flag,
  /** Adds `contacts` with business-scoped user ids to sent, delivered and read. */
  userIds: flag,
  /** What a user answers, reacts to, changes or deletes is named by another text of its id, as since July 2026. */
  otherIds: flag,
  /** Leaves out `recipient_id`, as for users with a username. */
  withoutRecipientId: flag,
  /** Leaves `biz_opaque_callback_data` out of `failed`: the upstream's documentation is unsure about it. */
  failedWithoutOpaque: flag,
  /** Error codes as numeric text. */
  codeAsText: flag,
  /** Shifts every `timestamp`; negative is older. */
  timestampShiftS: Type.Integer({ minimum: -31_536_000, maximum: 31_536_000 }),
  /** Puts an unreadable entry into each POST. */
  badEntry: flag,
  /** Waits between the repeats of a POST that was not answered 200; their number is the number of repeats. */
  retryGapsMs: Type.Array(delayMs, { maxItems: retriesMax }),
  /** A receiver that has not answered by then counts as down. */
  timeoutMs: count(1, 2 * minuteMs),
})

const lineRate = closed({ enabled: flag, perSecond: count(1, 100_000) })
const pairLimit = closed({ enabled: flag, burst: count(1, 1_000), gapMs: count(1, hourMs) })
const accountCalls = closed({
  enabled: flag,
  perHour: count(1, 1_000_000),
  code: Type.Enum([80007, 80008]),
  /** Sends count too; else only listings, lines and subscriptions do. */
  sends: flag,
})
const throttleAnswers = closed({ status: Type.Enum([400, 429]), retryAfter: flag })

const settings = closed({
  callbacks: callbackSettings,
  lineRate,
  pairLimit,
  accountCalls,
  throttleAnswers,
  /** Free-form messages need an inbound message of the user within the last 24 hours, else 131047. */
  windowRequired: flag,
  /** The account may send without a template outside the window (docs/upstream.md#direct-send). */
  directSend: flag,
  /** The lines take calls, so that a message may have a button for one. */
  calling: flag,
  /** The account takes no address of its own before the app has one, as if its form was never saved. */
  needsForm: flag,
  /** The last full page of the template listing still has a `next`; the page behind it is empty. */
  emptyLastPage: flag,
  /** Every template send is answered with `message_status: accepted`; else the field is absent. */
  messageStatus: flag,
  /** How long the review of a created or edited template takes. */
  reviewAfterMs: delayMs,
})

export type CallbackSettings = Static<typeof callbackSettings>
export type SandboxSettings = Static<typeof settings>

/** What a control request may change: any part, the rest stays as it is. */
export const settingsPatch = closed({
  callbacks: Type.Optional(Type.Partial(callbackSettings)),
  lineRate: Type.Optional(Type.Partial(lineRate)),
  pairLimit: Type.Optional(Type.Partial(pairLimit)),
  accountCalls: Type.Optional(Type.Partial(accountCalls)),
  throttleAnswers: Type.Optional(Type.Partial(throttleAnswers)),
  windowRequired: Type.Optional(flag),
  directSend: Type.Optional(flag),
  calling: Type.Optional(flag),
  needsForm: Type.Optional(flag),
  emptyLastPage: Type.Optional(flag),
  messageStatus: Type.Optional(flag),
  reviewAfterMs: Type.Optional(delayMs),
})
export type SettingsPatch = Static<typeof settingsPatch>

/** The answer to a send usually comes before `sent`; a tenth of a second ensures that without delaying a demo. */
const sentAfterMs = 100

/** When messages are delivered and read: the given delay, and for a missing one a delay in the right order. */
export interface Delays {
  readonly deliveredAfterMs?: number
  readonly readAfterMs?: number
}

function delaysOf({ deliveredAfterMs, readAfterMs }: Delays): Required<Delays> {
  const gapMs = DELAYS.readAfterMs - DELAYS.deliveredAfterMs
  if (deliveredAfterMs !== undefined) {
    return { deliveredAfterMs, readAfterMs: readAfterMs ?? deliveredAfterMs + gapMs }
  }
  if (readAfterMs === undefined) return DELAYS
  return { deliveredAfterMs: Math.min(DELAYS.deliveredAfterMs, Math.floor(readAfterMs / 2)), readAfterMs }
}

/**
 * Throttles and the 24-hour window are off, so that a first try meets no unexpected refusal; their numbers are the
 * upstream's own and apply once they are switched on.
 */
export function defaultSettings(delays: Delays): SandboxSettings {
  const { deliveredAfterMs, readAfterMs } = delaysOf(delays)
  return {
    callbacks: {
      sentAfterMs: Math.min(sentAfterMs, deliveredAfterMs),
      deliveredAfterMs,
      readAfterMs,
      early: false,
      silent: false,
      reversed: false,
      copies: 1,
      batchMax: 100,
      parallelMax: 8,
      signature: 'good',
      escapeSlashes: false,
      userIds: false,
      otherIds: true,
      withoutRecipientId: false,
      failedWithoutOpaque: false,
      codeAsText: false,
      timestampShiftS: 0,
      badEntry: false,
      // The upstream repeats at once, then less and less often for days; the stand-in gives up within the hour.
      retryGapsMs: [0, 1_000, 5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs],
      timeoutMs: 10_000,
    },
    lineRate: { enabled: false, perSecond: linePerSecond },
    pairLimit: { enabled: false, burst: pairBurstMax, gapMs: pairSeconds * secondMs },
    accountCalls: { enabled: false, perHour: 5_000, code: 80007, sends: false },
    throttleAnswers: { status: 429, retryAfter: false },
    windowRequired: false,
    directSend: false,
    calling: true,
    needsForm: false,
    emptyLastPage: false,
    messageStatus: true,
    reviewAfterMs: DELAYS.reviewAfterMs,
  }
}

/**
 * @returns the settings with a patch applied; other parts stay, except delays that would be in the wrong order with a
 *   patched one
 */
export function patched(current: SandboxSettings, patch: SettingsPatch): SandboxSettings {
  return {
    ...current,
    ...patch,
    callbacks: patchedCallbacks(current.callbacks, patch.callbacks ?? {}),
    lineRate: { ...current.lineRate, ...patch.lineRate },
    pairLimit: { ...current.pairLimit, ...patch.pairLimit },
    accountCalls: { ...current.accountCalls, ...patch.accountCalls },
    throttleAnswers: { ...current.throttleAnswers, ...patch.throttleAnswers },
  }
}

function patchedCallbacks(current: CallbackSettings, patch: Partial<CallbackSettings>): CallbackSettings {
  const { deliveredAfterMs = current.deliveredAfterMs, readAfterMs = current.readAfterMs } = patch
  const isOneNamed = (patch.deliveredAfterMs === undefined) !== (patch.readAfterMs === undefined)
  const delays = isOneNamed && readAfterMs < deliveredAfterMs ? delaysOf(patch) : { deliveredAfterMs, readAfterMs }
  const isMoved = delays.deliveredAfterMs !== current.deliveredAfterMs
  const sentAfterMs = isMoved ? Math.min(current.sentAfterMs, delays.deliveredAfterMs) : current.sentAfterMs
  return { ...current, sentAfterMs, ...patch, ...delays }
}
