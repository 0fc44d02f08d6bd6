import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { toFailure } from './failure.ts'
import { request } from './request.ts'

/** `lost`: not connected, retrying; `off`: nothing to connect to, or not allowed. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'off'

/** Waits between retries, longer each time. */
const waitsMs = [500, 1_000, 2_000, 5_000, 10_000, 20_000]
/** The gateway sends at least a comment each 15 s; without anything for this long, the connection is dead. */
const silenceMs = 45_000

/**
 * Follows the events of a workspace. After a break it resumes after the last received event (`Last-Event-ID`), so that
 * none is missed. It uses `fetch`, because `EventSource` cannot send the token.
 */
export class EventStream {
  readonly #path: string
  readonly #onEvent: (event: EventSourceMessage) => void
  readonly #onState: (state: StreamState) => void
  #lastId: string | null = null
  #tries = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #connection: AbortController | null = null

  constructor(path: string, onEvent: (event: EventSourceMessage) => void, onState: (state: StreamState) => void) {
    this.#path = path
    this.#onEvent = onEvent
    this.#onState = onState
  }

  /** Connects at once, without waiting for the next retry. */
  connect(): void {
    this.close()
    const connection = new AbortController()
    this.#connection = connection
    this.#onState(this.#tries === 0 ? 'connecting' : 'lost')
    this.#follow(connection).catch((thrown: unknown) => {
      if (connection.signal.aborted && this.#connection !== connection) return
      const { status, isTemporary } = toFailure(thrown)
      if (status !== null && !isTemporary) this.#onState('off')
      else this.#tryLater()
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    const connection = this.#connection
    this.#connection = null
    connection?.abort()
  }

  #tryLater(): void {
    this.#onState('lost')
    const waitMs = waitsMs[Math.min(this.#tries, waitsMs.length - 1)]
    this.#tries += 1
    this.#timer = setTimeout(() => this.connect(), waitMs)
  }

  async #follow(connection: AbortController): Promise<void> {
    let watch = setTimeout(() => connection.abort(), silenceMs)
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (this.#lastId !== null) headers['last-event-id'] = this.#lastId
      const { body } = await request(this.#path, { headers, signal: connection.signal })
      if (!body) throw new Error('the stream has no body')
      this.#tries = 0
      this.#onState('live')
      const parser = createParser({
        onEvent: event => {
          this.#lastId = event.id ?? this.#lastId
          this.#onEvent(event)
        },
      })
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(watch)
        watch = setTimeout(() => connection.abort(), silenceMs)
        parser.feed(read.value)
      }
    } finally {
      clearTimeout(watch)
    }
    throw new Error('the gateway ended the stream')
  }
}
