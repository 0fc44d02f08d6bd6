import { type Clock, systemClock } from '../../base/clock.ts'
import type { JsonObject } from '../../base/json.ts'
import { CallbackSender } from '../callbacks/delivery.ts'
import { Reviews } from '../callbacks/reviews.ts'
import { type SandboxLine, Statuses } from '../callbacks/statuses.ts'
import { Subscriptions } from '../callbacks/subscriptions.ts'
import { Faults } from '../faults/faults.ts'
import { Magic } from '../faults/magic.ts'
import { Throttles } from '../faults/throttles.ts'
import { BoundedMap, Ring } from './bounded.ts'
import { BOUNDS, type LineOptions, SANDBOX } from './defaults.ts'
import { Journal } from './journal.ts'
import { Media } from './media.ts'
import { countryCodeOf } from './phone.ts'
import { type Random, systemRandom } from './random.ts'
import { Templates } from './records.ts'
import { SAMPLES } from './samples.ts'
import { type Delays, defaultSettings, patched, type SandboxSettings, type SettingsPatch } from './settings.ts'
import { Uploads } from './uploads.ts'

/** How a stand-in is started; every part has a default that works. */
export interface SandboxOptions extends Delays {
  /** Default 127.0.0.1: the control routes ask for no credentials. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port?: number
  readonly accessToken?: string
  readonly appSecret?: string
  readonly accountId?: string
  readonly lines?: readonly LineOptions[]
  /** The app's own callback address, subscribed from the start. */
  readonly callbackUrl?: string
  /** Resets what belongs to the sandbox. `POST /sandbox/reset` is answered when it is done. */
  readonly onReset?: () => Promise<void>
  readonly clock?: Clock
  readonly fetch?: typeof fetch
  readonly random?: Random
}

export interface Window {
  readonly at: number
  readonly wamid: string
  readonly freeUntil: number
}

/** A real token expires or is revoked; the stand-in's does so on demand. */
export type TokenState = 'valid' | 'expired' | 'invalidated'

/** Everything the stand-in knows: one account with its lines, and what happened to it. */
/** A message of a user, as the phone shows it. */
interface Written {
  readonly at: number
  readonly waId: string
  readonly wamid: string
  readonly content: JsonObject
}

export type SandboxState = ReturnType<typeof createSandboxState>

export function createSandboxState(options: SandboxOptions) {
  const clock = options.clock ?? systemClock
  const random = options.random ?? systemRandom
  const fetcher = options.fetch ?? fetch
  const accountId = options.accountId ?? SANDBOX.accountId
  const lineOptions = options.lines ?? SANDBOX.lines
  const initial = defaultSettings(options)
  const settings = (): SandboxSettings => state.settings
  const callbacks = () => settings().callbacks
  const subscriptions = new Subscriptions(random, fetcher, options.callbackUrl)
  const appSecret = options.appSecret ?? SANDBOX.appSecret
  const delivery = new CallbackSender({
    clock,
    fetch: fetcher,
    subscriptions,
    appSecret,
    accountId,
    settings: callbacks,
  })
  const templates = new Templates(random)
  const usernames = new BoundedMap<string, string>(BOUNDS.pairs)
  const lines: ReadonlyMap<string, SandboxLine> = new Map(lineOptions.map(line => [line.upstreamPhoneId, lineOf(line)]))
  const state = {
    clock,
    random,
    accessToken: options.accessToken ?? SANDBOX.accessToken,
    appSecret,
    accountId,
    lines,
    templates,
    media: new Media(random),
    uploads: new Uploads(clock, random),
    journal: new Journal(),
    faults: new Faults(),
    magic: new Magic(),
    throttles: new Throttles(clock, settings),
    subscriptions,
    delivery,
    statuses: new Statuses(clock, delivery, callbacks, userId => usernames.get(userId)),
    /** What users wrote, as their phones show it. */
    written: new Ring<Written>(BOUNDS.written),
    /** By user id, of users who have one. */
    usernames,
    /** What users sent, by its id: what a reaction can be to. */
    received: new BoundedMap<string, { readonly at: number; readonly isReaction: boolean }>(BOUNDS.sentMessages),
    /** By line. */
    profiles: new BoundedMap<string, JsonObject>(BOUNDS.pairs),
    /** By line and user. */
    blocked: new BoundedMap<string, { readonly lineId: string; readonly waId: string }>(BOUNDS.pairs),
    /** By their code. */
    qrCodes: new BoundedMap<string, { readonly lineId: string; readonly code: string; readonly words: string }>(
      BOUNDS.qrCodes,
    ),
    reviews: new Reviews(clock, templates, delivery),
    /** When a user last wrote to a line, where the 24-hour window opens, that message, and until when an ad pays. */
    windows: new BoundedMap<string, Window>(BOUNDS.pairs),
    settings: initial,
    token: 'valid' as TokenState,
    /** Known once the listener is up: part of download addresses. */
    origin: '',
    configure(patch: SettingsPatch): SandboxSettings {
      state.settings = patched(state.settings, patch)
      return state.settings
    },
    /**
     * Back to the start: settings, templates, journal, faults, callbacks; uploaded files go too. Addresses of callbacks
     * stay: a subscriber would not notice that callbacks have ended.
     */
    reset() {
      state.settings = initial
      state.token = 'valid'
      for (const part of [state.templates, state.media, state.uploads, state.journal, state.faults, state.magic])
        part.clear()
      for (const part of [state.throttles, state.statuses, state.reviews, state.delivery, state.windows]) part.clear()
      for (const part of [state.usernames, state.received, state.written, state.profiles]) part.clear()
      for (const part of [state.blocked, state.qrCodes]) part.clear()
      addSamples(state.templates)
    },
    stop() {
      state.statuses.clear()
      state.reviews.clear()
      state.delivery.stop()
    },
  }
  addSamples(state.templates)
  return state
}

function lineOf({ upstreamPhoneId, number }: LineOptions): SandboxLine {
  return { id: upstreamPhoneId, number, countryCode: countryCodeOf(number) }
}

/** Sample ids are fixed, so that two runs can be compared. */
const sampleIdStart = 1_304_694_804_498_701

function addSamples(templates: Templates): void {
  for (const [at, sample] of SAMPLES.entries()) templates.put({ id: String(sampleIdStart + at), ...sample })
}
