import type { Clock, SteadyMs } from '../../src/base/clock.ts'
import { parseObject } from '../../src/base/json.ts'
import type { Exchange, HttpRequest, Transport } from '../../src/transport/transport.ts'
import { PlatformFiles, type Taking } from './platformFiles.ts'
import { PlatformTemplates } from './platformTemplates.ts'
import { fileIn, templateIn, wordOf } from './said.ts'
import { pausable } from './templates.ts'
import { tenants } from './tenants.ts'
import type { World } from './world.ts'

/** What becomes of one request for one message. */
export type Says =
  | 'accepted'
  /** It takes the message, and its answer does not arrive. */
  | 'takenLost'
  /** It never hears of the message, and the gateway cannot know. */
  | 'lost'
  /** It takes the message, and a proxy answers in its place. */
  | 'takenGarbled'
  /** Nothing has left. */
  | 'notSent'
  | 'refused'
  | 'throttledLine'
  | 'throttledApp'
  | 'throttledPair'
  /** As some servers of it say it: with another status, and for how long. */
  | 'throttledFor'
  | 'overloaded'
  /** It says so, and took it: its report shows that, perhaps before the next attempt. */
  | 'overloadedTaken'

export interface Reply {
  readonly says: Says
  /** Until the request is there. */
  readonly travelMs: number
  /** From then until the answer. */
  readonly afterMs: number
}

/** A status that the platform reports of what it has taken. */
export interface Planned {
  readonly status: 'sent' | 'delivered' | 'read' | 'failed'
  /** After it took the message. */
  readonly afterMs: number
  readonly copies: number
  /** It repeats our id of the message. */
  readonly isNamed: boolean
}

/** What the platform does with a message, decided beforehand. */
export interface Fate {
  /** To its attempts, one after another; any further one is accepted. */
  readonly replies: readonly Reply[]
  /** To the uploads of its file, one after another; any further one is taken. */
  readonly uploads: readonly Taking[]
  readonly reports: readonly Planned[]
}

/** A request for a message that has arrived. */
export interface Arrival {
  readonly at: SteadyMs
  readonly messageId: string
  readonly text: string
  readonly phoneId: string
  readonly token: string
  readonly to: string
  /** Null: it did not take it. */
  readonly wamid: string | null
  /** The gateway was told that it did not take it. */
  readonly isDeclined: boolean
  /** The file that it shows, with what was uploaded to its line by that id; null: it shows none. */
  readonly file: { readonly id: string; readonly content: string | null } | null
}

/** A request for a message that has left the gateway, whether or not it has arrived. */
export interface Offer {
  readonly at: SteadyMs
  readonly messageId: string
  readonly text: string
  readonly phoneId: string
  readonly token: string
  readonly to: string
  /** `maybe`: the gateway cannot know that the platform did not take it. */
  readonly wamid: 'maybe' | 'never'
  /** The name of the template that it sends. */
  readonly template: string | null
}

/** A callback that the platform has to deliver, until it is answered 200. */
export interface Callback {
  readonly phoneId: string
  readonly messageId: string
  readonly wamid: string
  readonly status: Planned['status']
  readonly isNamed: boolean
  /** By the platform's clock, in seconds. */
  readonly timestamp: number
}

/** When a listing is made, and how long it is on its way: meanwhile a template may be paused. */
const [listedMs, listingMs] = [20, 1_500]

const nothingElse = { kind: 'lost', why: 'nothing else is served here' } as const
const usual: Reply = { says: 'accepted', travelMs: 1, afterMs: 5 }

interface Refusal {
  readonly status: number
  readonly code: number
  readonly headers?: Readonly<Record<string, string>>
}

const errors = {
  refused: { status: 400, code: 131009 },
  throttledLine: { status: 400, code: 130429 },
  throttledApp: { status: 400, code: 80007 },
  throttledPair: { status: 400, code: 131056 },
  throttledFor: { status: 429, code: 130429, headers: { 'retry-after': '17' } },
  overloaded: { status: 500, code: 131016 },
  overloadedTaken: { status: 500, code: 131016 },
  templatePaused: { status: 400, code: 132015 },
  fileGone: { status: 400, code: 131053 },
} as const

type Answer = Says | 'templatePaused' | 'fileGone'

/** What becomes of a request that would be taken, and is not: the template that it sends is paused. */
const whilePaused: Partial<Record<Says, Answer>> = {
  ...{ accepted: 'templatePaused', takenLost: 'lost', takenGarbled: 'lost', overloadedTaken: 'overloaded' },
}

/** The upstream: what it takes stays taken, whatever becomes of the gateway. */
export class Platform {
  readonly #world: World
  readonly #fateOf: (text: string) => Fate
  readonly #report: (callback: Callback) => void
  readonly arrivals: Arrival[] = []
  readonly offers: Offer[] = []
  /** Messages of which no answer came, or none that can be read. */
  readonly ambiguous = new Set<string>()
  readonly #attempts = new Map<string, number>()
  readonly files: PlatformFiles
  readonly templates: PlatformTemplates
  #isCalm = false

  /** @param report hands over a callback, when its time has come */
  constructor(world: World, fateOf: (text: string) => Fate, report: (callback: Callback) => void) {
    this.#world = world
    this.#fateOf = fateOf
    this.#report = report
    this.files = new PlatformFiles(name => fateOf(name).uploads)
    this.templates = new PlatformTemplates(world)
  }

  /** All is answered at once and well from now on. */
  calm(): void {
    this.#isCalm = true
    this.files.isCalm = true
    this.templates.isCalm = true
  }

  /** As a process reaches it. Of one that is gone, nobody hears the answers. */
  transport(clock: Clock): Transport {
    return {
      exchange: request => {
        const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Transport['exchange']>>>()
        if (request.method !== 'POST' || !request.url.endsWith('/messages')) {
          const { afterMs, answer } = this.#serve(request)
          clock.setTimer(afterMs, () => resolve(answer()))
          return promise
        }
        if (parseObject(String(request.body))?.status === 'read') {
          const marked = {
            kind: 'answered',
            status: 200,
            headers: {},
            body: JSON.stringify({ success: true }),
          } as const
          clock.setTimer(1, () => resolve(marked))
          return promise
        }
        const { reply, arrive } = this.#take(request)
        const { says, travelMs, afterMs } = reply
        if (says === 'notSent') {
          clock.setTimer(travelMs, () => resolve({ kind: 'notSent', why: 'refused' }))
          return promise
        }
        // On its way it needs nobody any more.
        this.#world.later(travelMs, arrive)
        clock.setTimer(travelMs + afterMs, () => resolve(this.#answer(request, says)))
        return promise
      },
      close() {},
    }
  }

  /** @returns what is answered to what is no message, and when */
  #serve({ method, url, body }: HttpRequest): { readonly afterMs: number; readonly answer: () => Exchange } {
    const path = url.slice(url.lastIndexOf('/') + 1)
    const listed = tenants.findIndex(({ accountId }) => url.includes(`/${accountId}/message_templates`))
    if (listed >= 0) {
      let listing: Exchange = nothingElse
      this.#world.later(this.#world.upTo(listedMs), () => {
        listing = this.templates.list(listed === 0 ? 0 : 1)
      })
      return { afterMs: listedMs + this.#world.upTo(listingMs), answer: () => listing }
    }
    if (method === 'POST' && path === 'media') {
      const { afterMs, exchange } = this.files.take(url, body)
      return { afterMs, answer: () => exchange }
    }
    if (method === 'GET' && /^\d+$/.test(path))
      return { afterMs: 1 + this.#world.upTo(20), answer: () => this.files.describe(path) }
    return { afterMs: 1, answer: () => nothingElse }
  }

  #take(request: HttpRequest): { reply: Omit<Reply, 'says'> & { readonly says: Answer }; arrive: () => void } {
    const payload = parseObject(String(request.body)) ?? {}
    const text = wordOf(payload)
    const template = templateIn(payload)
    const shown = fileIn(payload)
    const messageId = String(payload.biz_opaque_callback_data)
    const fate = this.#fateOf(text)
    const nth = this.#attempts.get(messageId) ?? 0
    this.#attempts.set(messageId, nth + 1)
    const planned = (this.#isCalm ? undefined : fate.replies[nth]) ?? usual
    const phoneId = request.url.split('/').at(-2) ?? ''
    const tenant = tenants[0].phoneId === phoneId ? 0 : 1
    const isPaused = template === pausable.name && this.templates.statusOf(tenant) === 'PAUSED'
    const says = this.#answerTo(planned.says, { isPaused, hasFile: shown !== null })
    const reply = { ...planned, says }
    const isTaken = ['accepted', 'takenLost', 'takenGarbled', 'overloadedTaken'].includes(reply.says)
    const to = String(payload.to)
    const token = request.headers.authorization ?? ''
    const seen = { at: this.#world.steady(), messageId, text, phoneId, token, to }
    if (reply.says !== 'notSent')
      this.offers.push({
        ...seen,
        template,
        wamid: (isTaken && reply.says !== 'overloadedTaken') || reply.says === 'lost' ? 'maybe' : 'never',
      })
    if (['takenLost', 'takenGarbled', 'lost'].includes(reply.says)) this.ambiguous.add(messageId)
    const arrive = () => {
      if (reply.says === 'lost') return
      const wamid = isTaken ? `wamid.${messageId}.${nth}` : null
      this.arrivals.push({
        ...seen,
        at: this.#world.steady(),
        wamid,
        isDeclined: !isTaken || reply.says === 'overloadedTaken',
        file: shown === null ? null : { id: shown, content: this.files.contentOf(shown, phoneId) },
      })
      if (wamid === null) return
      for (const { status, afterMs, copies, isNamed } of fate.reports)
        for (let copy = 0; copy < copies; copy += 1)
          this.#world.later(afterMs + copy * this.#world.upTo(2_000), () => {
            const timestamp = Math.floor(this.#world.now() / 1_000)
            this.#report({ phoneId, messageId, wamid, status, timestamp, isNamed })
          })
    }
    return { reply, arrive }
  }

  #answerTo(says: Says, { isPaused, hasFile }: { readonly isPaused: boolean; readonly hasFile: boolean }): Answer {
    if (isPaused) return whilePaused[says] ?? says
    return says === 'refused' && hasFile ? 'fileGone' : says
  }

  #answer(request: HttpRequest, says: Answer): Exchange {
    const answered = (status: number, body: object | string) =>
      ({ kind: 'answered', status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) }) as const
    switch (says) {
      case 'accepted': {
        const payload = parseObject(String(request.body)) ?? {}
        const nth = (this.#attempts.get(String(payload.biz_opaque_callback_data)) ?? 1) - 1
        const id = `wamid.${payload.biz_opaque_callback_data}.${nth}`
        const contacts = [{ input: payload.to, wa_id: String(payload.to).replace(/\D/g, '') }]
        return answered(200, { messaging_product: 'whatsapp', contacts, messages: [{ id }] })
      }
      case 'takenLost':
      case 'lost':
        return { kind: 'lost', why: 'the connection was reset' }
      case 'takenGarbled':
        return answered(502, '<html>Bad gateway</html>')
      case 'notSent':
        return { kind: 'notSent', why: 'refused' }
      default: {
        const { status, code, headers = {} }: Refusal = errors[says]
        return {
          ...answered(status, { error: { code, message: says, type: 'OAuthException', fbtrace_id: 't' } }),
          headers,
        }
      }
    }
  }
}
