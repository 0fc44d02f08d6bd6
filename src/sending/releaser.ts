import type { Line, Resumable } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import type { EpochMs, SteadyMs } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import { ERRORS, issuesIn, type Reason, type Refusal } from '../base/errors.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import type { JsonObject } from '../base/json.ts'
import type { Checked } from '../base/schema.ts'
import { Unavailable } from '../base/unavailable.ts'
import { readsOf } from '../reading/keyReads.ts'
import type { Logger } from '../telemetry/log.ts'
import { type Addressed, write } from './compose.ts'
import { optOutRefusal } from './optOut.ts'
import type { Outbox } from './outbox.ts'
import { heldUntil } from './quiet.ts'
import { lineRemoved, planExceeded } from './refusals.ts'
import type { SendCaller, SendRequest } from './request.ts'
import { route } from './route.ts'
import { heldBody } from './schedule.ts'
import { notStopped } from './sendKey.ts'
import { draftOf, type SubmissionParts } from './submission.ts'

/** How often what is due is looked for: it leaves within a second after its time. */
const lookMs = 1_000
/** While there is more than a line has room for, it is given room so often. */
const againMs = 250
/** Released at the same time: each may upload a file. */
const atOnceMax = 8
/** Messages in the queue of a line without a limit. Beyond it nothing is released: what is sent at once comes soon. */
const unlimitedRoom = 250
/**
 * After something that may pass, what it concerns is looked at again: the line, or only the message whose file the
 * platform could not take, for the others are ready.
 */
const pauseMs = 15_000
/** Messages of one line that wait so: beyond them its line waits, as they are read at each look. */
const pausedMax = 250
/** Not looked for so long, by the clock that times are stored by: nobody was there to release anything. */
const absentMsMin = 2 * minuteMs
/** While lines are behind, it is kept so often that they are looked at: a restart, or another leader, goes by it. */
const keepLookMs = 30_000
/** The property of the database that has it. */
const lookProperty = 'releases'

/** The last look, and since when there was one again and again. */
interface Look {
  readonly since: EpochMs
  readonly at: EpochMs
}

/** @returns how many messages may wait on a line besides those that are sent at once: what it takes in a second */
export const roomOn = (outbox: Pick<Outbox, 'backlogOf'>, { id, perSecond }: Pick<Line, 'id' | 'perSecond'>): number =>
  Math.max(0, (perSecond > 0 ? Math.ceil(perSecond) : unlimitedRoom) - outbox.backlogOf(id))

/** Why a message did not leave when its time had come; its timeline keeps it. `LATE`: no gateway was there. */
export type HeldBackReason = Reason | 'LATE'

export interface ReleaserParts extends Omit<SubmissionParts, 'outbox'> {
  readonly store: Store
  readonly outbox: Pick<Outbox, 'backlogOf' | 'isFull' | 'isStopping' | 'release' | 'find'> & SubmissionParts['outbox']
  /** How long after its time a message is still sent, where no gateway was running. */
  readonly scheduleLateMs: number
  /** Reads the body of a send. */
  readonly readBody: (body: unknown) => Checked<SendRequest>
  readonly log: Logger
}

/**
 * Releases messages whose time has come: all is checked again, as for a send of this moment, and then the message waits
 * for its turn as any other. Of several instances, the one that leads does it; whether a message is released once is
 * decided by the store alone.
 */
export class Releaser {
  readonly #parts: ReleaserParts
  readonly #failing = new FailureSpell()
  /** Lines on which something failed that may pass, and when they are looked at again. */
  readonly #pausedUntil = new Map<string, SteadyMs>()
  /** Messages of each line whose files the platform could not take, and when they are looked at again. */
  readonly #pausedFiles = new Map<string, Map<string, SteadyMs>>()
  /** Lines on which messages are being released: none waits for the files of another one. */
  readonly #busy = new Map<string, Promise<void>>()
  /** Lines on which more was due than there was room for. */
  readonly #full = new Set<string>()
  /** Lines on which the last release has failed. */
  readonly #failed = new Set<string>()
  /** Null: this instance has not looked. */
  #looked: Look | null = null
  #keptAt: EpochMs = 0
  #isStopped = false
  #cancelTimer = () => {}
  #running = Promise.resolve()

  constructor(parts: ReleaserParts) {
    this.#parts = parts
  }

  /** Looks from now on, again and again. */
  start(afterMs = lookMs): void {
    if (this.#isStopped) return
    this.#cancelTimer = this.#parts.clock.setTimer(afterMs, () => {
      this.#running = this.#look().then(() => this.start(this.#full.size > 0 ? againMs : lookMs))
    })
  }

  /** Resolves once nothing is being released any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer()
    await this.#running
    await Promise.all(this.#busy.values())
  }

  /** Begins with each line on which something is due. */
  async #look(): Promise<void> {
    const { store, clock } = this.#parts
    try {
      if (store.shared && !(await store.shared.leads())) {
        this.#looked = null
        this.#full.clear()
        return
      }
      const now = clock.now()
      const tooLateBefore = (await this.#lookedSince(now)) - this.#parts.scheduleLateMs
      const lines = await store.read.dueLines({ at: now })
      const due = new Set(lines.map(({ lineId }) => lineId))
      for (const known of [this.#full, this.#failed])
        for (const lineId of known) if (!due.has(lineId)) known.delete(lineId)
      for (const lineId of due) if (!this.#busy.has(lineId)) this.#begin(lineId, now, tooLateBefore)
      this.#tellRecovery()
    } catch (error) {
      this.#tellFailure(error)
    }
  }

  /**
   * @returns since when somebody was there to release: what still waits then was held back by its line alone, however
   *   late it is
   */
  async #lookedSince(now: EpochMs): Promise<EpochMs> {
    const { read, write } = this.#parts.store
    const isRecent = (look: Look | null): look is Look => look !== null && now - look.at < absentMsMin
    const kept = isRecent(this.#looked) ? this.#looked : parseLook(await read.property(lookProperty))
    const look = { since: isRecent(kept) ? kept.since : now, at: now }
    this.#looked = look
    if (this.#full.size > 0 && now - this.#keptAt >= keepLookMs) {
      await write.putProperty({ name: lookProperty, value: JSON.stringify(look) })
      this.#keptAt = now
    }
    return look.since
  }

  #begin(lineId: string, now: EpochMs, tooLateBefore: EpochMs): void {
    const release = async () => {
      try {
        if (await this.#releaseOn(lineId, now, tooLateBefore)) this.#full.add(lineId)
        else this.#full.delete(lineId)
        this.#failed.delete(lineId)
        this.#tellRecovery()
      } catch (error) {
        this.#full.delete(lineId)
        this.#failed.add(lineId)
        this.#tellFailure(error)
      } finally {
        this.#busy.delete(lineId)
      }
    }
    this.#busy.set(lineId, release())
  }

  #tellRecovery(): void {
    const { log } = this.#parts
    if (this.#failed.size > 0) return
    this.#failing.worked(failures => log.info({ failures }, 'scheduled messages are released again'))
  }

  #tellFailure(error: unknown): void {
    const { log } = this.#parts
    this.#failing.failed(() => log.error({ err: error }, 'scheduled messages could not be released; trying again'))
  }

  async #releaseOn(lineId: string, now: EpochMs, tooLateBefore: EpochMs): Promise<boolean> {
    const { store, outbox, clock } = this.#parts
    if ((this.#pausedUntil.get(lineId) ?? 0) > clock.steady()) return false
    this.#pausedUntil.delete(lineId)
    const line = await store.read.line(lineId)
    if (!line) return false
    const limit = roomOn(outbox, line)
    if (limit === 0) return true
    const paused = this.#pausedOn(lineId)
    const found = await store.read.dueMessages({ lineId, at: now, limit: limit + paused.size })
    const due = found.filter(({ message }) => !paused.has(message.id)).slice(0, limit)
    const queue = due.values()
    const releaseNext = async () => {
      for (const one of queue) {
        if (this.#isStopped || outbox.isStopping || this.#pausedUntil.has(lineId)) return
        await this.#release(one, line, tooLateBefore)
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnceMax, due.length) }, releaseNext))
    const failed = ends.find(end => end.status === 'rejected')
    if (failed) throw failed.reason
    return due.length === limit && !this.#pausedUntil.has(lineId)
  }

  async #release({ message, payload }: Resumable, line: Line, tooLateBefore: EpochMs): Promise<void> {
    const { store, outbox, clock, scheduleLateMs } = this.#parts
    const { id: messageId, dueAt } = message
    const at = clock.now()
    const holdBack = (reason: string, why: HeldBackReason, more: JsonObject = {}) => {
      const detail = { reason: why, ...more }
      return store.write.recordEvent({ messageId, event: { kind: 'heldBack', at, reason }, detail, recordedAt: at })
    }
    // It is being erased.
    if (payload === '') return void (await this.#cancel(messageId, at))
    if ((dueAt ?? at) < tooLateBefore)
      return void (await holdBack(
        `Its time passed more than ${scheduleLateMs / minuteMs} minutes before the gateway was there to send it.`,
        'LATE',
      ))
    const made = await this.#make(message, line, payload, at).catch(error => {
      if (error instanceof Unavailable) return null
      throw error
    })
    if (made === null) return this.#pause(line.id)
    if ('refusal' in made && made.refusal) {
      const { refusal } = made
      const isLate = at >= (dueAt ?? at) + scheduleLateMs
      if (ERRORS[refusal.reason].retryable) return this.#pause(line.id)
      const isMoment = isOfMoment(refusal)
      if (isMoment && !isLate) return this.#pauseFile(line.id, messageId)
      return void (await holdBack(sentenceOf(refusal), refusal.reason, codeOf(refusal)))
    }
    if ('until' in made && made.until !== undefined) {
      const { until } = made
      const keyExpiresAt = until + this.#parts.idempotencyTtlMs
      // Somebody may have moved it meanwhile: then it stays there.
      const from = dueAt ?? at
      return void (await store.write.rescheduleMessage({ messageId, from, dueAt: until, keyExpiresAt, at }))
    }
    const { accessToken, ...release } = made
    const released = await store.write.releaseMessage({ messageId, at, ...release })
    switch (released.outcome) {
      case 'released':
        return outbox.release(released.message, line, accessToken)
      case 'planExhausted':
        return void (await holdBack(planExceeded(released.limit, released.used, at).message, 'PLAN_LIMIT_EXCEEDED'))
      case 'keyRevoked':
        return void (await holdBack('The API key that scheduled it was revoked.', 'UNAUTHORIZED'))
      case 'gone':
        return
    }
  }

  /** @returns what the message becomes: all is decided as for a send of this moment, but for its line */
  async #make(message: Resumable['message'], line: Line, payload: string, now: EpochMs) {
    const { store, readBody } = this.#parts
    const checked = readBody(heldBody(payload))
    if (!checked.ok) return { refusal: { reason: 'VALIDATION_ERROR', message: 'It cannot be read any more.' } } as const
    const request: SendRequest = { ...checked.value, phoneNumberId: line.id, idempotencyKey: null }
    const { workspaceId, apiKeyId: keyId, requestId } = message
    const apiKey = keyId === null ? null : await store.read.key(keyId)
    const caller: SendCaller = {
      ...{ workspaceId, keyId, onOptOut: apiKey?.onOptOut ?? null, lineIds: null, scope: '', requestId },
      ...{ traceparent: null, settings: null },
      renew: async () => caller,
    }
    const read = readsOf(store.read, caller)
    const routed = await route(this.#parts, read, caller, request, now).next()
    if (!routed.done) return { refusal: routed.value }
    if (routed.value === null) return { refusal: lineRemoved }
    const addressed: Addressed & typeof routed.value = {
      ...{ ...routed.value, id: message.id, content: request.content, read },
    }
    const written = await write(this.#parts, addressed, notStopped)
    if ('refusal' in written) return { refusal: written.refusal }
    if (!written.ok) throw new Error('a release that nothing stops was stopped')
    const offered = { ...addressed, ...written, workspaceId, now }
    const unwanted = await optOutRefusal(read, offered)
    if (unwanted) return { refusal: unwanted }
    const until = await heldUntil(read, offered)
    if (until !== null) return { until } as const
    const key = { kept: null, outlivesTime: false, repeat: async () => null }
    // Whose flows are closed is what its caller asked for, and may ask for: the line was chosen since.
    const { phoneNumberId } = checked.value
    const asked = { caller: { ...caller, lineIds: apiKey?.lineIds ?? null }, request: { ...request, phoneNumberId } }
    const draft = draftOf({ ...asked, key, now }, addressed, written)
    const { recipient, contactId, templateLanguage, opensFlow, closesFlows } = draft
    const to = { recipient, contactId, templateLanguage }
    return { to, payload: draft.payload, opensFlow, closesFlows, accessToken: written.accessToken }
  }

  async #cancel(messageId: string, at: EpochMs): Promise<void> {
    const event = { kind: 'cancelled', at } as const
    await this.#parts.store.write.recordEvent({ messageId, event, detail: null, recordedAt: at })
  }

  /** @returns the messages of a line that are not looked at now */
  #pausedOn(lineId: string): ReadonlyMap<string, SteadyMs> {
    const paused = this.#pausedFiles.get(lineId) ?? new Map<string, SteadyMs>()
    for (const [id, until] of paused) if (until <= this.#parts.clock.steady()) paused.delete(id)
    if (paused.size === 0) this.#pausedFiles.delete(lineId)
    return paused
  }

  #pauseFile(lineId: string, messageId: string): void {
    const paused = this.#pausedFiles.get(lineId) ?? new Map<string, SteadyMs>()
    this.#pausedFiles.set(lineId, paused.set(messageId, this.#parts.clock.steady() + pauseMs))
    if (paused.size >= pausedMax) this.#pause(lineId)
  }

  #pause(lineId: string): void {
    this.#pausedUntil.set(lineId, this.#parts.clock.steady() + pauseMs)
  }
}

/** @returns whether the platform could not take a file just now, and may in a moment */
const isOfMoment = ({ reason, details }: Refusal): boolean =>
  reason === 'CHANNEL_GRAPH_ERROR' && details?.retryable === true

/** @returns what the platform says of a file that it does not take, as in the timeline of a message; else nothing */
const codeOf = ({ details: { code, retryable } = {} }: Refusal): JsonObject => ({
  ...(typeof code === 'number' && { code }),
  ...(typeof retryable === 'boolean' && { retryable }),
})

const parseLook = (value: string | null): Look | null => (value === null ? null : JSON.parse(value))

/** @returns why a message was not sent, in one text: a caller gets it without the fields of an answer */
const sentenceOf = (refusal: Refusal): string =>
  issuesIn(refusal)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`))
    .join('; ')
