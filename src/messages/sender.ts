import type { Clock, EpochMs } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { Attempt, SendAnswer } from '../graph/answer.ts'
import type { ChannelClient, ChannelSettings } from '../graph/client.ts'
import type { MediaOrder, Upload } from '../media/upload.ts'
import type { Cidr } from '../network.ts'
import type { Answer, Call } from '../queue/protocol.ts'
import type { Outgoing, Served } from '../queue/worker.ts'
import type { Transport } from '../transport/transport.ts'
import type { SendJob } from './job.ts'
import { Lane, type LaneDoor } from './lane.ts'
import { Throttle } from './throttle.ts'

/** What a sender thread is started with. */
export interface SenderOptions extends ChannelSettings {
  readonly mediaAllowedNetworks: readonly Cidr[]
}

/** What a sender thread can be asked. */
export interface SenderVerbs {
  /** Resolves with the message's end: after pacing, retries and the upstream's answer. */
  sendMessage(job: SendJob): Promise<SendAnswer>
  /** The disk says now what becomes of the message of that turn. A turn of another time does nothing. */
  proceed(announced: Announced): Promise<null>
  /** Fetches the file behind a link and uploads it to a line. */
  uploadMedia(order: MediaOrder): Promise<Upload>
}

export interface Announced {
  readonly turn: string
  /** The one that the channel has now: the message may be handed over. Null: the upstream has the message already. */
  readonly accessToken: string | null
}

/** What a sender thread tells unasked. */
export type SenderFact =
  /** It has to wait, and nothing of it has left. */
  | { readonly kind: 'deferred'; readonly messageId: string }
  /** Its turn has come: it leaves once `proceed` was called for this turn, which has a name of its own. */
  | { readonly kind: 'due'; readonly messageId: string; readonly turn: string }
  | Pause

/** The upstream asked for a pause of a line, or of all lines of the channel: nothing leaves there before its end. */
export interface Pause {
  readonly kind: 'paused'
  readonly channelId: string
  /** Null when all lines are paused. */
  readonly lineId: string | null
  readonly until: EpochMs
  readonly code: number | null
}

/** Shorter pauses are the daily work of pacing, and over before anybody has read of them. */
const toldPauseMsMin = 10_000

/** Lanes without traffic are small, and there is one for each line of the deployment. */
export function createSender(parts: {
  client: ChannelClient
  upload: (order: MediaOrder) => Promise<Upload>
  transport: Transport
  clock: Clock
  random: () => number
  outgoing: Outgoing
}): Served {
  const { client, upload, transport, clock, random, outgoing } = parts
  const lanes = new Map<string, { channelId: string; lane: Lane }>()
  /** A channel's throttle also holds a line that first sends after it. One entry for each throttled channel. */
  const throttles = new Map<string, Throttle>()
  /** The pauses that were told, by line or channel: messages that left together are all refused. */
  const toldPauses = new Map<string, EpochMs>()
  const callIds = new Map<string, number>()
  const turns = new Map<string, (accessToken: string | null) => void>()
  let underWay = 0
  let onIdle = () => {}

  const reply = (answer: Answer) => outgoing.reply([answer])

  const door: LaneDoor = {
    clock,
    random,
    async attempt(job) {
      underWay += 1
      try {
        const attempt = await client.send(job)
        tellPause(job, attempt)
        return attempt
      } catch (error) {
        // A defect of ours, somewhere between the first byte and the answer: the honest end is "unknown".
        return { kind: 'lost', why: messageOf(error) }
      } finally {
        underWay -= 1
        if (underWay === 0) queueMicrotask(() => onIdle())
      }
    },
    settle(job, answer) {
      const id = callIds.get(job.messageId)
      callIds.delete(job.messageId)
      if (answer.kind === 'accepted') throttles.get(job.channelId)?.ease(clock.steady())
      if (id !== undefined) reply({ id, ok: true, value: answer })
    },
    defer: ({ messageId }) => outgoing.tell({ kind: 'deferred', messageId } satisfies SenderFact),
    announce: ({ messageId }) =>
      new Promise(resolve => {
        // Never the same twice, not even in the thread that follows: what was meant for one turn must not free another.
        const turn = crypto.randomUUID()
        turns.set(turn, resolve)
        outgoing.tell({ kind: 'due', messageId, turn } satisfies SenderFact)
      }),
    pauseChannel(channelId, askedMs) {
      const throttle = throttles.get(channelId) ?? new Throttle()
      throttles.set(channelId, throttle)
      const until = throttle.hit(clock.steady(), askedMs, random)
      for (const entry of lanes.values()) if (entry.channelId === channelId) entry.lane.pause(until)
      return until
    },
  }

  function tellPause({ channelId, lineId }: SendJob, attempt: Attempt) {
    if (attempt.kind !== 'notNow' || (attempt.scope !== 'app' && attempt.scope !== 'line')) return
    const { scope, retryAfterMs, fault } = attempt
    const key = scope === 'app' ? channelId : lineId
    const now = clock.now()
    const until = now + (retryAfterMs ?? 0)
    if (until - Math.max(now, toldPauses.get(key) ?? 0) < toldPauseMsMin) return
    toldPauses.set(key, until)
    const line = scope === 'app' ? null : lineId
    outgoing.tell({ kind: 'paused', channelId, lineId: line, until, code: fault.code } satisfies SenderFact)
  }

  function sendMessage(id: number, job: SendJob) {
    let entry = lanes.get(job.lineId)
    if (!entry) {
      entry = { channelId: job.channelId, lane: new Lane(door) }
      entry.lane.pause(throttles.get(job.channelId)?.until ?? 0)
      lanes.set(job.lineId, entry)
    }
    callIds.set(job.messageId, id)
    entry.lane.add(job)
  }

  async function uploadMedia(id: number, order: MediaOrder) {
    try {
      reply({ id, ok: true, value: await upload(order) })
    } catch (error) {
      reply({ id, ok: false, unavailable: false, message: messageOf(error) })
    }
  }

  return {
    take(calls: readonly Call[]) {
      for (const { id, verb, argument } of calls) {
        switch (verb as keyof SenderVerbs) {
          case 'sendMessage':
            sendMessage(id, argument as SendJob)
            break
          case 'proceed': {
            const { turn, accessToken } = argument as Announced
            turns.get(turn)?.(accessToken)
            turns.delete(turn)
            reply({ id, ok: true, value: null })
            break
          }
          case 'uploadMedia':
            void uploadMedia(id, argument as MediaOrder)
            break
        }
      }
    },

    /** Nothing new leaves; what has left is waited for, each no longer than the upstream's time limit. */
    async stop() {
      for (const { lane } of lanes.values()) lane.close()
      if (underWay > 0) {
        await new Promise<void>(resolve => {
          onIdle = () => {
            if (underWay === 0) resolve()
          }
        })
      }
      // The last answers leave in this turn of the event loop.
      await new Promise(resolve => setImmediate(resolve))
      transport.close()
    },
  }
}
