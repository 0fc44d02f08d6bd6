import { toFailure } from './failure.ts'
import { request } from './request.ts'

/** An event, as the gateway writes it. */
export interface StreamEvent {
  readonly id: string | null
  readonly event: string | null
  readonly data: string
}

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
export function eventStream(
  path: string,
  onEvent: (event: StreamEvent) => void,
  onState: (state: StreamState) => void,
) {
  let lastId: string | null = null
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let connection: AbortController | null = null

  /** Connects at once, without waiting for the next retry. */
  function connect(): void {
    close()
    const own = new AbortController()
    connection = own
    onState(tries === 0 ? 'connecting' : 'lost')
    follow(own).catch((thrown: unknown) => {
      if (own.signal.aborted && connection !== own) return
      const { status, isTemporary } = toFailure(thrown)
      if (status !== null && !isTemporary) return onState('off')
      onState('lost')
      timer = setTimeout(connect, waitsMs[Math.min(tries, waitsMs.length - 1)])
      tries += 1
    })
  }

  function close(): void {
    clearTimeout(timer)
    const former = connection
    connection = null
    former?.abort()
  }

  async function follow(own: AbortController): Promise<void> {
    let watch = setTimeout(() => own.abort(), silenceMs)
    try {
      const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) }
      const { body } = await request(path, { headers, signal: own.signal })
      if (!body) throw new Error('the stream has no body')
      tries = 0
      onState('live')
      let rest = ''
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(watch)
        watch = setTimeout(() => own.abort(), silenceMs)
        const blocks = (rest + read.value).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const event of blocks.flatMap(eventIn)) {
          lastId = event.id ?? lastId
          onEvent(event)
        }
      }
    } finally {
      clearTimeout(watch)
    }
    throw new Error('the gateway ended the stream')
  }

  return { connect, close }
}

/** @returns the event of a block: each field is a line of it. Comments have none */
function eventIn(block: string): StreamEvent[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null
  const data = field('data')
  return data === null ? [] : [{ id: field('id'), event: field('event'), data }]
}
