import { constants, setPriority } from 'node:os'
import { systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { measureLag } from '../telemetry/lag.ts'
import type { Measures } from '../telemetry/metrics.ts'
import { onBroken } from '../telemetry/promises.ts'
import type { FromWorker, ToWorker, VerbAnswer, VerbCall } from './protocol.ts'

/** A worker's side of the mailbox. */
export interface Served {
  /** Its verbs, for a mailbox that makes its functions from this list. */
  readonly verbs?: readonly string[]
  /** Takes calls as they arrive; answers go out through `reply`, in any order. */
  take(calls: readonly VerbCall[]): void
  /** What it has measured besides its event loop. */
  measures?(): Measures
  /** Finishes the calls that were taken. The thread ends afterwards. */
  stop(): Promise<void> | void
}

export interface Outgoing {
  /** Answers leave at the end of the turn, together. */
  reply(answers: readonly VerbAnswer[]): void
  /** They leave at once: for a thread that has all answers of its turn together, and need not wait for its end. */
  replyAtOnce(answers: readonly VerbAnswer[]): void
  /** Says what a long start is doing: plain data. It leaves at once. */
  tell(news: unknown): void
}

/**
 * Serves calls that have nothing to do with each other: each is answered when it has its value. `stop` finishes those
 * that were taken.
 * @param verbs each with the type of its own argument: a typed caller made the pair of name and argument, see Mailbox
 */
export function serveEach<Verbs extends object>(
  verbs: Verbs,
  { reply }: Pick<Outgoing, 'reply'>,
): Required<Pick<Served, 'verbs' | 'take' | 'stop'>> {
  let underWay = 0
  let onIdle = () => {}

  async function answer({ id, verb, argument }: VerbCall): Promise<void> {
    try {
      const value = await (verbs[verb as keyof Verbs] as (argument: unknown) => unknown)(argument)
      reply([{ id, ok: true, value }])
    } catch (error) {
      reply([{ id, ok: false, unavailable: false, message: messageOf(error) }])
    } finally {
      underWay -= 1
      if (underWay === 0) onIdle()
    }
  }

  return {
    verbs: Object.keys(verbs),
    take(calls) {
      underWay += calls.length
      for (const call of calls) void answer(call)
    },
    async stop() {
      if (underWay > 0) await new Promise<void>(resolve => (onIdle = resolve))
    },
  }
}

declare const self: Worker

const post = (message: FromWorker) => self.postMessage(JSON.stringify(message))

/**
 * Connects this thread to its mailbox. Call it at the top of the entry file, before anything is awaited: messages that
 * come before a listener is set are lost.
 * @param start gets the options; a throw refuses the start with the error's message
 */
export function serveMailbox(start: (options: unknown, outgoing: Outgoing) => Promise<Served> | Served): void {
  let served: Served | undefined
  const answers: VerbAnswer[] = []
  let isFlushDue = false
  /** Nobody may ever ask: so it begins with the first question. */
  let loop: ReturnType<typeof measureLag> | undefined
  // All answers of one turn are one post, because waking the other thread is slow.
  const flush = () => {
    isFlushDue = false
    if (answers.length > 0) post({ kind: 'answers', answers: answers.splice(0) })
  }
  const flushSoon = () => {
    if (isFlushDue) return
    isFlushDue = true
    setImmediate(flush)
  }
  const outgoing: Outgoing = {
    reply(more) {
      for (const answer of more) answers.push(answer)
      flushSoon()
    },
    replyAtOnce: answers => post({ kind: 'answers', answers }),
    tell: news => post({ kind: 'news', news }),
  }
  onBroken(broken => post({ kind: 'broken', broken }))
  self.onmessage = async ({ data }: MessageEvent<string>) => {
    // Only SupervisedThread posts, and only this.
    const message = JSON.parse(data) as ToWorker
    switch (message.kind) {
      case 'start':
        try {
          served = await start(message.options, outgoing)
          post({ kind: 'ready', verbs: served.verbs ?? [] })
        } catch (error) {
          post({ kind: 'refused', message: messageOf(error) })
        }
        break
      case 'calls':
        served?.take(message.calls)
        break
      case 'ping':
        post({ kind: 'pong' })
        break
      case 'measure':
        loop ??= measureLag(systemClock)
        post({ kind: 'measured', measures: { ...served?.measures?.(), eventLoopLag: loop.lag.read() } })
        break
      case 'stop':
        await served?.stop()
        flush()
        post({ kind: 'stopped' })
        break
    }
  }
  post({ kind: 'listening' })
}

/**
 * For a thread whose work may take its time. On Linux the priority is per thread; elsewhere it would slow the process.
 */
export function yieldToSends(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, constants.priority.PRIORITY_LOW)
  } catch {
    // Not allowed here: the work is done anyway.
  }
}
