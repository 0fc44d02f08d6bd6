import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import { Pieces } from '../base/pieces.ts'
import type { BucketSettings } from '../config/bucket.ts'
import { Connection } from '../transport/connection.ts'
import { type PieceSource, SentRequest } from '../transport/request.ts'
import { createTransport } from '../transport/transport.ts'
import { element, refusalOf } from './answers.ts'
import { encoded, queryText, type Signer, signatureHeaders } from './signature.ts'

/**
 * Of a request that moves no file, from the look-up of the name to the end of the answer: a store answers within a
 * second. Less than the 10 s in which `waypost backups` answers.
 */
export const answerMsMax = 8_000
/**
 * Without a byte for so long, none is expected any more. As long as bytes move, a file may take as long as it takes.
 */
export const silenceMsMax = 30_000
/** After the last byte of an upload: a store puts the parts of a large object together before it answers. */
export const storedMsMax = 2 * minuteMs
/** A page of a listing has some 500 kilobytes. */
const answerBytesMax = 8 * 1_048_576

/** A request about an object, or about the bucket itself (`key` is empty then). */
export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface BucketAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Signed requests to one bucket. Each has a bound, and ends its connection when it passes that. */
export type BucketClient = ReturnType<typeof createBucketClient>

export function createBucketClient(settings: BucketSettings & { readonly secret: string }, clock: Clock) {
  const { bucket, accessKeyId, secret: secretAccessKey } = settings
  const endpoint = new URL(settings.endpoint)
  const signer: Signer = { region: settings.region ?? regionOf(endpoint), accessKeyId, secretAccessKey }
  const transport = createTransport(clock)

  /** Bucket and key are in the path, which stores understand whatever their host is called. */
  function signed({ method, key, query = {}, headers = {} }: BucketRequest) {
    const names = [bucket, ...(key === '' ? [] : key.split('/'))]
    const path = `${endpoint.pathname.replace(/\/$/, '')}/${names.map(encoded).join('/')}`
    const signature = signatureHeaders({ method, host: endpoint.host, path, query, at: clock.now() }, signer)
    const search = queryText(query)
    return { path: search === '' ? path : `${path}?${search}`, headers: { ...headers, ...signature } }
  }

  return {
    /**
     * A request without a file.
     * @param accepted the statuses that are no refusal
     * @throws Error when the store refuses, cannot be reached, or does not answer in time
     */
    async ask(
      request: BucketRequest & { readonly body?: string; readonly timeoutMs?: number },
      accepted: readonly number[] = [200, 204],
    ): Promise<BucketAnswer> {
      const { path, headers } = signed(request)
      const { method, body, timeoutMs = answerMsMax } = request
      const sent = { method, url: endpoint.origin + path, headers, ...(body !== undefined && { body }), timeoutMs }
      const got = await transport.exchange(sent)
      if (got.kind !== 'answered') throw new Error(got.why)
      // Stores that take long to join parts begin with 200, and say in the body that it failed.
      const isRefused = !accepted.includes(got.status) || (got.status === 200 && element(got.body, 'Code') !== null)
      if (isRefused) throw new Error(refusalOf(got.status, got.body))
      return got
    },

    /**
     * Sends a file, or a part of one, piece by piece.
     * @throws Error when the store refuses, takes no byte for `silenceMsMax`, or does not answer after the last
     */
    send(request: BucketRequest, source: PieceSource): Promise<BucketAnswer> {
      const { path, headers } = signed(request)
      return new Promise((resolve, reject) => {
        let cancelLimit = () => {}
        let isOver = false
        function limit(ms: number, what: string) {
          cancelLimit()
          cancelLimit = clock.setTimer(ms, () => sent.end(noneFor(what, ms)))
        }
        let answer = { status: 0, headers: {} }
        const body = new Pieces()
        const sent = new SentRequest(new Connection({ url: endpoint }), {
          onAnswer: (status, headers) => {
            answer = { status, headers }
          },
          onData(piece) {
            body.add(piece)
            if (body.bytes > answerBytesMax) sent.end(new Error('the answer is too large'))
          },
          onEnd(failure) {
            isOver = true
            cancelLimit()
            if (failure) return reject(failure.error)
            const text = new TextDecoder().decode(body.joined())
            if (answer.status === 200) resolve({ ...answer, body: text })
            else reject(new Error(refusalOf(answer.status, text)))
          },
        })
        async function* watched() {
          let left = source.bytes
          for await (const piece of source.pieces()) {
            // A piece may be on its way from the disk when the request ends.
            if (isOver) return
            // It is asked for when the system has taken the piece before.
            limit(silenceMsMax, 'no byte could be sent')
            left -= piece.length
            if (left === 0) limit(storedMsMax, 'no answer came')
            yield piece
          }
        }
        limit(silenceMsMax, 'no byte could be sent')
        sent.start({
          method: 'PUT',
          path,
          headers,
          body: { bytes: source.bytes, pieces: watched },
          isLast: true,
        })
      })
    },

    /**
     * @param range the first byte, and the byte after the last; null: the whole object
     * @returns the bytes as they come: reading them fails when none comes for `silenceMsMax`, or too few have come
     * @throws Error when the store refuses, or does not begin to answer in time
     */
    read(key: string, range: readonly [from: number, end: number] | null): Promise<ReadableStream<Uint8Array>> {
      const wanted = range && { range: `bytes=${range[0]}-${range[1] - 1}` }
      const { path, headers } = signed({ method: 'GET', key, ...(wanted && { headers: wanted }) })
      return new Promise((resolve, reject) => {
        let cancelLimit = clock.setTimer(answerMsMax, () => sent.end(noneFor('no answer came', answerMsMax)))
        function awaitPiece() {
          cancelLimit()
          cancelLimit = clock.setTimer(silenceMsMax, () => sent.end(noneFor('nothing came', silenceMsMax)))
        }
        let stream: ReadableStreamDefaultController<Uint8Array> | null = null
        let [refused, refusal] = [0, '']
        const sent = new SentRequest(new Connection({ url: endpoint }), {
          onAnswer(status, answered) {
            const length = Number(answered['content-length'] ?? Number.NaN)
            const isPart = status === 206 || (status === 200 && (range === null || length === range[1] - range[0]))
            if (!isPart) {
              refused = status
              return
            }
            const content = new ReadableStream<Uint8Array>({
              start(controller) {
                stream = controller
              },
              pull() {
                awaitPiece()
                sent.resume()
              },
              cancel() {
                sent.end(new Error('the rest is not needed'))
              },
            })
            resolve(content)
          },
          onData(piece) {
            if (stream === null) {
              refusal += new TextDecoder().decode(piece)
              if (refusal.length > answerBytesMax) sent.end(new Error('the answer is too large'))
              return
            }
            stream.enqueue(new Uint8Array(piece))
            awaitPiece()
            if ((stream.desiredSize ?? 0) > 0) return
            // Who reads slowly is waited for by the server, which has a limit of its own.
            cancelLimit()
            sent.pause()
          },
          onEnd(failure) {
            cancelLimit()
            if (stream === null) reject(failure?.error ?? new Error(refusalOf(refused, refusal)))
            else if (failure) stream.error(failure.error)
            else stream.close()
          },
        })
        sent.start({ method: 'GET', path, headers, isLast: true })
      })
    },
  }
}

const noneFor = (what: string, ms: number) => new Error(`${what} for ${ms / 1_000} seconds`)

/** @returns the region that an endpoint of AWS names; `auto` for other stores, which have one */
function regionOf({ hostname }: URL): string {
  const [, region] = /(?:^|\.)s3[.-](?:dualstack\.)?([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(hostname) ?? []
  if (region !== undefined) return region
  return hostname === 's3.amazonaws.com' ? 'us-east-1' : 'auto'
}
