import { NoAnswer } from './errors.ts'

/** A part of a file: from its first byte to its last one, both included. Without `to`: to the end of the file. */
export interface ByteRange {
  readonly from: number
  readonly to?: number | undefined
}

/** A file that a user sent, as it comes. */
export interface MediaFile {
  /** What its bytes show, as `image/jpeg`. */
  readonly type: string
  /** Bytes that come; null when the gateway does not say. */
  readonly length: number | null
  /** A name to save it under; null when there is none. */
  readonly fileName: string | null
  /** Which part it is; null: the whole file. */
  readonly range: { readonly from: number; readonly to: number; readonly size: number } | null
  /** Its bytes, once. It ends with NoAnswer when they stop coming for `timeoutMs`, or break off. */
  readonly stream: ReadableStream<Uint8Array>
  /** Reads all of it into memory. @throws NoAnswer, and the signal's reason */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/** The value of the header for a part. @throws TypeError for what can be no part */
export function rangeHeader({ from, to }: ByteRange): string {
  const isByte = (at: number) => Number.isSafeInteger(at) && at >= 0
  if (!isByte(from) || (to !== undefined && !(isByte(to) && to >= from)))
    throw new TypeError('range: pass whole numbers of bytes, as in { from: 0, to: 1023 }')
  return `bytes=${from}-${to ?? ''}`
}

/**
 * @param end ends the request, and with it what still comes
 * @param timeoutMs of each wait for further bytes
 */
export function openedMedia(
  response: Response,
  end: AbortController,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): MediaFile {
  const { headers } = response
  const length = /^\d{1,15}$/.exec(headers.get('content-length') ?? '')
  const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  const stream = inTime(response, end, timeoutMs, signal, length === null ? null : Number(length[0]))
  return {
    type: headers.get('content-type') ?? 'application/octet-stream',
    length: length === null ? null : Number(length[0]),
    fileName: fileNameIn(headers.get('content-disposition') ?? ''),
    range: size === undefined ? null : { from: Number(from), to: Number(to), size: Number(size) },
    stream,
    bytes: async () => new Uint8Array(await new Response(stream).arrayBuffer()),
  }
}

/** RFC 6266: the encoded name goes before the plain one. */
function fileNameIn(disposition: string): string | null {
  const [, encoded] = /filename\*=utf-8''([^;]+)/i.exec(disposition) ?? []
  const [, quoted] = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition) ?? []
  try {
    return encoded === undefined ? (quoted?.replace(/\\(.)/g, '$1') ?? null) : decodeURIComponent(encoded)
  } catch {
    return quoted ?? null
  }
}

/** @returns the bytes of an answer; each has to come within the time, and all of them have to come */
function inTime(
  { body }: Response,
  end: AbortController,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  length: number | null,
): ReadableStream<Uint8Array> {
  const reader = body?.getReader()
  const stop = () => end.abort()
  signal?.addEventListener('abort', stop)
  let seen = 0
  const ended = () => signal?.removeEventListener('abort', stop)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(stop, timeoutMs)
        // Cancelled by ourselves too: fetch may have forgotten the signal.
        const cancel = () => void reader?.cancel().catch(() => {})
        end.signal.addEventListener('abort', cancel)
        try {
          const { done, value } = (await reader?.read()) ?? { done: true }
          end.signal.throwIfAborted()
          seen += value?.length ?? 0
          if (done && length !== null && seen !== length) throw new Error(`${seen} of ${length} bytes came.`)
          if (value) controller.enqueue(value)
          if (done) {
            ended()
            controller.close()
          }
        } catch (cause) {
          ended()
          stop()
          if (signal?.aborted) throw signal.reason
          const when = cause === end.signal.reason ? ` within ${timeoutMs} ms` : ''
          throw new NoAnswer(`The rest of the file did not come${when}: ${seen} bytes did.`, null, cause)
        } finally {
          clearTimeout(timer)
          end.signal.removeEventListener('abort', cancel)
        }
      },
      cancel() {
        ended()
        stop()
      },
    },
    { highWaterMark: 0 },
  )
}
