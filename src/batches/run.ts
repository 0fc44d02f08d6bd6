import type { Batch, BatchItem, BatchWrites } from '../../db/contract/batches.ts'
import type { Line, Message } from '../../db/contract/records.ts'
import { type Clock, type EpochMs, wait } from '../base/clock.ts'
import { sha256 } from '../base/crypto.ts'
import { hourMs, minuteMs, secondMs } from '../base/durations.ts'
import { GatewayError } from '../base/errors.ts'
import { newId, timeOfId } from '../base/ids.ts'
import { noValidKey } from '../http/guard.ts'
import { type BatchReason, keyOfItem } from '../message/batches.ts'
import { sendOfItem } from '../operations/batchItems.ts'
import { chooseLine } from '../sending/line.ts'
import type { SendCaller, SendRequest } from '../sending/request.ts'
import { submitMessage } from '../sending/schedule.ts'
import { aheadMsMin } from '../sending/sendAt.ts'
import type { SubmissionParts } from '../sending/submission.ts'
import type { Logger } from '../telemetry/log.ts'
import { afterTries, type ItemOutcome, outcomeOf, sent, unsure } from './outcome.ts'
import type { LineRooms } from './room.ts'
import { heldAmong, isRated, judgedMax, stopOf, stopOfHeld, stopOfQuality } from './stops.ts'

/** So many are claimed in one write, and sent as there is room, */
const claimedAtOnce = 100
/** but of a line with a pace no more than leave in this time: what is claimed cannot be left out any more. */
const claimedAheadMs = 250
/** It looks so often whether it has to pause itself. */
const judgeMs = secondMs
/** How long an item is under way here at most. What takes longer, as in a queue that is held, goes on by itself. */
const sendWaitMs = 5 * secondMs
/** What a process that has ended had in hand is read so many at a time. */
const leftAtOnce = 500

export interface BatchParts extends SubmissionParts {
  readonly log: Logger
  /** The machine's: it measures waits. */
  readonly watch: Clock
  /** How long after its own time an item is still sent. */
  readonly scheduleLateMs: number
  /** So long after its creation a message may have been deleted; null: none is. */
  readonly messageRetentionMs: number | null
}

/** What the batches of a process share. */
export interface RunParts extends BatchParts {
  readonly rooms: LineRooms
}

/** The clock of the instance that has claimed an item may be wrong by so much. */
const claimedSlackMs = hourMs

type Settled = Parameters<BatchParts['store']['write']['settleBatchItems']>[0]['items'][number]

/**
 * Makes the messages of one batch, as its line has room, until it is done, paused or cancelled. Each item gets the id
 * of its message on disk first; whatever ends the process, the next run asks for that message, and makes it by the same
 * id if it is not there. So an item is one message, however often it is tried and by however many.
 */
export class BatchRun {
  readonly #parts: RunParts
  readonly #id: string
  /** Claimed, and not under way. */
  readonly #queue: BatchItem[] = []
  readonly #underWay = new Set<Promise<void>>()
  readonly #settled: Settled[] = []
  /** The last of its items, by the ids of their messages, */
  readonly #last: string[] = []
  /** and those that were refused, and have none. */
  readonly #refused = new Set<string>()
  /** Messages of items that have waited since these were read: their person may have been erased meanwhile. */
  readonly #waited = new Set<string>()
  /** How often items were tried that are to be tried again, by the ids of their messages. */
  readonly #tries = new Map<string, number>()
  /** The lines that its items have named so far. */
  readonly #lineIds = new Set<string>()
  /** How the platform rated its lines when it first sent from them. */
  readonly #qualities = new Map<string, string>()
  #holdUntil = Number.NEGATIVE_INFINITY
  #judgedAt = Number.NEGATIVE_INFINITY
  #stop: BatchReason | null = null
  #isStopping = false

  constructor(parts: RunParts, batchId: string) {
    this.#parts = parts
    this.#id = batchId
  }

  /** It makes no further message; `run` ends once what is under way has ended. */
  stop(): void {
    this.#isStopping = true
  }

  /** Resolves when the batch does not run any more, or was told to stop. */
  async run(): Promise<void> {
    const { read } = this.#parts.store
    try {
      this.#wait(...(await read.claimedBatchItems({ batchId: this.#id, from: 0, limit: leftAtOnce })))
      while (!this.#isStopping && (await this.#step()));
    } finally {
      await Promise.all(this.#underWay)
      await this.#flush()
    }
  }

  /** @returns whether it goes on */
  async #step(): Promise<boolean> {
    const { store, watch, rooms } = this.#parts
    const from = watch.steady()
    await this.#flush()
    const batch = await store.read.batch(this.#id)
    if (batch?.state !== 'running') return false
    const caller = await this.#callerOf(batch)
    if (caller === null) return this.#pause({ code: 'key', message: keyGone })
    if (this.#stop || (await this.#judge())) return this.#pause(this.#stop)
    const { lines, room } = await this.#room(batch, caller)
    if (this.#isRatedWorse(lines)) return this.#pause(this.#stop)
    if (room > 0 && this.#queue.length === 0) {
      const messageIds = Array.from({ length: claimOf(lines, room) }, () => newId('msg'))
      const claimed = await store.write.claimBatchItems({ batchId: this.#id, messageIds })
      if (claimed === null) return false
      this.#queue.push(...claimed)
      if (claimed.length === 0 && this.#underWay.size === 0) return this.#finish()
    }
    const feeding = this.#queue.splice(0, room)
    this.#markWaiting(this.#queue)
    rooms.take(lines, feeding.length)
    await rooms.feed(feeding, item => this.#begin(batch, caller, item))
    // What is begun here is committed as often again when it is accepted and when it ends.
    const restMs = rooms.restMs(2 * (watch.steady() - from))
    await wait(watch, Math.max(restMs, rooms.pauseMs(lines, feeding.length, this.#underWay.size)))
    return true
  }

  /** Nothing waits and nothing is under way. */
  async #finish(): Promise<boolean> {
    await this.#flush()
    // Its last message may have failed a moment ago.
    this.#judgedAt = Number.NEGATIVE_INFINITY
    if (await this.#judge()) return this.#pause(this.#stop)
    const { read, write } = this.#parts.store
    // What another run had in hand when its process ended.
    this.#wait(...(await read.claimedBatchItems({ batchId: this.#id, from: 0, limit: leftAtOnce })))
    if (this.#queue.length > 0) return true
    const at = this.#parts.store.clock.now()
    const moved = await write.moveBatch({ batchId: this.#id, event: 'finish', at })
    // Others wait again since.
    return moved.outcome === 'refused' && moved.batch.state === 'running'
  }

  async #pause(reason: BatchReason | null): Promise<false> {
    const { store, log } = this.#parts
    const move = { batchId: this.#id, event: 'pause', at: store.clock.now() } as const
    await store.write.moveBatch({ ...move, ...(reason && { reason }) } satisfies Parameters<
      BatchWrites['moveBatch']
    >[0])
    log.warn({ batchId: this.#id, reason }, 'a batch has paused itself')
    return false
  }

  /** @returns in whose name it sends; null: the key is revoked or has expired */
  async #callerOf({ id: scope, workspaceId, keyId }: Batch): Promise<SendCaller | null> {
    const { read, clock } = this.#parts.store
    const keyNow = async () => {
      const key = keyId === null ? null : await read.key(keyId)
      const holds = key && key.revokedAt === null && (key.expiresAt === null || key.expiresAt > clock.now())
      return holds || keyId === null ? { lineIds: key?.lineIds ?? null, onOptOut: key?.onOptOut ?? null } : null
    }
    const key = await keyNow()
    if (key === null) return null
    const caller: SendCaller = {
      ...{ workspaceId, keyId, scope, ...key, requestId: null, traceparent: null, settings: null },
      async renew() {
        if ((await keyNow()) === null) throw new GatewayError(noValidKey)
        return caller
      },
    }
    return caller
  }

  /** @returns how many further items its lines take: where it sends from several, as many as the fullest takes */
  async #room(
    { defaults }: Batch,
    { workspaceId, lineIds }: SendCaller,
  ): Promise<{ readonly lines: readonly Line[]; readonly room: number }> {
    const { store, rooms, watch } = this.#parts
    if (watch.steady() < this.#holdUntil) return { lines: [], room: 0 }
    const all = await store.read.lines(workspaceId)
    const { phoneNumberId } = defaults
    const choice = chooseLine(all, typeof phoneNumberId === 'string' ? phoneNumberId : null, lineIds)
    const lines: Line[] = all.filter(({ id }) => this.#lineIds.has(id) || (choice.ok && choice.line.id === id))
    // Without a line the send of an item says what is wrong.
    if (lines.length === 0) return { lines, room: this.#underWay.size === 0 ? 1 : 0 }
    return { lines, room: Math.min(...lines.map(line => rooms.roomOf(line, this.#underWay.size))) }
  }

  /** @returns whether people rate one of its lines worse since; the reason is in `#stop` then */
  #isRatedWorse(lines: readonly Line[]): boolean {
    for (const line of lines) {
      const before = this.#qualities.get(line.id)
      if (before !== undefined) this.#stop ??= stopOfQuality(before, line)
      else if (line.quality !== null && isRated(line)) this.#qualities.set(line.id, line.quality)
    }
    return this.#stop !== null
  }

  #begin(batch: Batch, caller: SendCaller, item: BatchItem): Promise<void> {
    const named = item.body?.phoneNumberId
    if (typeof named === 'string') this.#lineIds.add(named)
    const working = this.#send(batch, caller, item).then(outcome => this.#note(item, outcome))
    this.#underWay.add(working)
    void working.finally(() => this.#underWay.delete(working))
    return working
  }

  async #send(batch: Batch, caller: SendCaller, item: BatchItem): Promise<ItemOutcome> {
    const { messageId, body } = item
    if (messageId === null) throw new Error('a claimed item has the id of its message')
    try {
      // Made by a process that has ended, or whose answer was lost.
      if ((await this.#parts.store.read.statusView(messageId)) !== null) return sent
      if (this.#mayBeDeleted(messageId)) return perhapsSent
      if (body === null || (await this.#isGone(item))) return { kind: 'settled', state: 'cancelled', reason: null }
      const checked = sendOfItem(batch.defaults, body)
      if (!checked.ok) {
        const [issue] = checked.issues
        const message = `${issue?.path ?? ''} ${issue?.message ?? ''}`.trim()
        return { kind: 'settled', state: 'failed', reason: { code: 'VALIDATION_ERROR', message } }
      }
      const sendAt = this.#timeOf(checked.value)
      if (sendAt === 'late') return tooLate(this.#parts.scheduleLateMs)
      const request = {
        ...{ ...checked.value, sendAt, messageId, idempotencyKey: keyOfItem(batch.id, item) },
        fingerprint: () => sha256(messageId),
      }
      this.#last.push(messageId)
      if (this.#last.length > judgedMax) this.#refused.delete(this.#last.shift() ?? '')
      const outcome = await submitMessage({ ...this.#parts, sendWaitMs }, caller, request)
      // Perhaps the next ones would fail alike.
      if (outcome.kind === 'refused') this.#judgedAt = Number.NEGATIVE_INFINITY
      return outcomeOf(outcome, body)
    } catch (error) {
      if (error instanceof GatewayError) return outcomeOf({ kind: 'refused', refusal: error }, body ?? {})
      this.#parts.log.error({ err: error, batchId: batch.id, item: item.number }, 'an item of a batch is tried again')
      return unsure
    }
  }

  /** Of what another process had in hand: it may have sent it, and its message may be deleted by its age since. */
  #mayBeDeleted(messageId: string): boolean {
    const { store, messageRetentionMs } = this.#parts
    if (messageRetentionMs === null || !this.#waited.has(messageId)) return false
    return timeOfId(messageId) < store.clock.now() - messageRetentionMs + claimedSlackMs
  }

  /** @returns when an item leaves that has its own time; null: at once, where the time has come or is near */
  #timeOf({ sendAt }: SendRequest): EpochMs | null | 'late' {
    const now = this.#parts.store.clock.now()
    if (sendAt === null || sendAt >= now + aheadMsMin) return sendAt
    return sendAt < now - this.#parts.scheduleLateMs ? 'late' : null
  }

  #wait(...items: readonly BatchItem[]): void {
    this.#queue.push(...items)
    this.#markWaiting(items)
  }

  #markWaiting(items: readonly BatchItem[]): void {
    for (const { messageId } of items) if (messageId !== null) this.#waited.add(messageId)
  }

  /** @returns whether one that has waited is nothing to send any more: its person was erased, or another run did it */
  async #isGone({ number, messageId }: BatchItem): Promise<boolean> {
    if (messageId === null || !this.#waited.delete(messageId)) return false
    const { read } = this.#parts.store
    const [item] = await read.claimedBatchItems({ batchId: this.#id, from: number, limit: 1 })
    return item?.messageId !== messageId || item.body === null
  }

  #note(item: BatchItem, tried: ItemOutcome): void {
    const messageId = item.messageId ?? ''
    const tries = (this.#tries.get(messageId) ?? 0) + 1
    const outcome = afterTries(tried, tries)
    if (outcome.kind === 'again') {
      this.#tries.set(messageId, tries)
      this.#wait(item)
      this.#holdUntil = this.#parts.watch.steady() + outcome.waitMs
      this.#stop ??= outcome.stop
      return
    }
    this.#tries.delete(messageId)
    const { state, reason } = outcome
    const { number } = item
    if (state === 'failed' && this.#last.includes(messageId)) this.#refused.add(messageId)
    this.#settled.push({ number, messageId, state, reason })
  }

  /** Keeps what has become of items. What cannot be stored now is tried again at the next step. */
  async #flush(): Promise<void> {
    const items = this.#settled.splice(0)
    if (items.length === 0) return
    try {
      await this.#parts.store.write.settleBatchItems({ batchId: this.#id, items })
    } catch (error) {
      this.#settled.unshift(...items)
      if (!this.#isStopping) throw error
    }
  }

  /** @returns whether there is a reason to pause; it is in `#stop` then */
  async #judge(): Promise<boolean> {
    const { store, watch } = this.#parts
    if (watch.steady() - this.#judgedAt < judgeMs) return false
    this.#judgedAt = watch.steady()
    const found = await Promise.all(this.#last.map(id => store.read.message(id)))
    const last = found.filter((message): message is Message => message !== null)
    this.#stop = stopOf(last, this.#refused.size)
    const held = this.#stop ? undefined : heldAmong(last, store.clock.now())
    if (held) this.#stop = stopOfHeld(await store.read.timeline(held.id))
    return this.#stop !== null
  }
}

/** @returns how many items are claimed at once: without a line, the send of one says what is wrong for all */
function claimOf(lines: readonly Line[], room: number): number {
  const paces = lines.flatMap(({ perSecond }) => (perSecond > 0 ? [perSecond] : []))
  if (paces.length === 0) return lines.length === 0 ? room : Math.max(room, claimedAtOnce)
  return Math.max(room, Math.min(claimedAtOnce, Math.ceil((Math.min(...paces) * claimedAheadMs) / secondMs)))
}

const failedWith = (code: string, message: string): ItemOutcome => ({
  ...{ kind: 'settled', state: 'failed', reason: { code, message } },
})
const perhapsSent = failedWith(
  'TOO_OLD',
  'It was being sent longer ago than messages are kept: whether it was is not known any more.',
)
const tooLate = (lateMs: number) =>
  failedWith('LATE', `Its time had passed by more than ${lateMs / minuteMs} minutes when its turn came.`)

const keyGone = 'The API key in whose name it sends was revoked, or has expired. Resume it with another key.'
