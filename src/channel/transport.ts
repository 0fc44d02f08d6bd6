import http from 'node:http'
import https from 'node:https'
import type { Clock } from '../clock.ts'

/** One HTTP exchange with the upstream. The three ends are all that matters to "never twice". */
export type Exchange =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: http.IncomingHttpHeaders
      readonly body: string
    }
  /** No byte of the request has left: repeating it is harmless. */
  | { readonly kind: 'notSent'; readonly why: string }
  /** Bytes have left and no whole answer came: the upstream may have acted on it. */
  | { readonly kind: 'lost'; readonly why: string }

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Covers the whole exchange, connecting included. */
  readonly timeoutMs: number
}

export interface Transport {
  exchange(request: HttpRequest): Promise<Exchange>
  close(): void
}

/**
 * Idle connections are dropped before the far end would do it: common servers keep one for 5 s, and a request written
 * on a connection that is just being closed has an unknown outcome.
 */
const idleMsMax = 4_000
/** Idle connections kept per host; bursts open more, which is cheap enough. */
const idleSocketsMax = 512
/** The upstream's answers have a few hundred bytes, listings some hundred kilobytes. */
const answerBytesMax = 16 * 1024 * 1024

/**
 * The transport over node:http. Not fetch: that runs at most 256 requests in the whole process, which would stop a
 * gateway at about 850 sends a second when the upstream takes 300 ms; and it does not tell a request that never left
 * from one whose answer was lost.
 */
export function createTransport(clock: Clock): Transport {
  const options = { keepAlive: true, maxFreeSockets: idleSocketsMax, timeout: idleMsMax }
  const plain = new http.Agent(options)
  const secure = new https.Agent(options)

  function exchange({ method, url, headers, body, timeoutMs }: HttpRequest): Promise<Exchange> {
    return new Promise(resolve => {
      const isSecure = url.startsWith('https:')
      /** From here on the request's bytes may be under way. */
      let hasLeft = false
      let request: http.ClientRequest
      try {
        request = (isSecure ? https : http).request(url, {
          method,
          agent: isSecure ? secure : plain,
          headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
        })
      } catch (error) {
        // A header or address that HTTP cannot carry, such as a token with a typographic dash.
        resolve({ kind: 'notSent', why: error instanceof Error ? error.message : String(error) })
        return
      }
      const cancelTimer = clock.setTimer(timeoutMs, () => fail(new Error(`no answer within ${timeoutMs} ms`)))
      const finish = (exchange: Exchange) => {
        cancelTimer()
        resolve(exchange)
      }
      const fail = (error: Error) => {
        request.destroy()
        finish(hasLeft ? { kind: 'lost', why: error.message } : { kind: 'notSent', why: error.message })
      }
      request.on('socket', socket => {
        if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', () => (hasLeft = true))
        else hasLeft = true
      })
      request.on('error', fail)
      request.on('response', response => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > answerBytesMax) fail(new Error('the answer is too large'))
          else chunks.push(chunk)
        })
        response.on('error', fail)
        response.on('aborted', () => fail(new Error('the answer was cut off')))
        response.on('end', () => {
          if (!response.complete) return fail(new Error('the answer was cut off'))
          finish({
            kind: 'answered',
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          })
        })
      })
      request.end(body)
    })
  }

  return {
    exchange,
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}
