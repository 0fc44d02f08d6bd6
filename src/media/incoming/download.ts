import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import { checkFreeBytes, watchFreeBytes } from '../../base/durable.ts'
import { minuteMs } from '../../base/durations.ts'
import { areTooSmall } from '../../base/pieces.ts'
import { Connection } from '../../transport/connection.ts'
import { SentRequest } from '../../transport/request.ts'
import { headBytes } from '../outgoing/types.ts'

export type Download =
  | { readonly kind: 'downloaded'; readonly bytes: number; readonly sha256: string; readonly head: Uint8Array }
  | { readonly kind: 'tooLarge' }
  /** For the operator. */
  | { readonly kind: 'failed'; readonly why: string }

/** A hundred megabytes at 1.4 Mbit a second. What is slower is begun anew, while the upstream has it. */
const downloadMsMax = 10 * minuteMs
/** Without a byte for so long, none is expected any more. */
const silenceMsMax = 30_000
/** Owner alone: it is what users wrote. */
const fileMode = 0o600

export interface DownloadOrder {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The file, which is made, or emptied. */
  readonly path: string
  readonly bytesMax: number
  /** As the upstream says; null: it does not. */
  readonly bytes: number | null
}

/**
 * Downloads into a file, piece by piece, and waits until it is on disk. Redirects are not followed: they could lead the
 * token away. It writes synchronously, for a thread where nothing else waits: so a slow disk slows the network, and
 * nothing is gathered in memory.
 * @throws Error of the system when the disk refuses, or when it is nearly full
 */
export async function download(order: DownloadOrder, clock: Clock): Promise<Download> {
  const { url, headers, path, bytesMax } = order
  checkFreeBytes(path, order.bytes ?? 0)
  const file = openSync(path, 'w', fileMode)
  try {
    const hash = new Bun.CryptoHasher('sha256')
    const checkFree = watchFreeBytes(path)
    let [bytes, pieces] = [0, 0]
    let head = Buffer.alloc(0)
    const end = await new Promise<Download | null>((resolve, reject) => {
      const failed = (why: string) => resolve({ kind: 'failed', why })
      const limit = (ms: number) =>
        clock.setTimer(ms, () => sent.end(new Error(`nothing came for ${silenceMsMax / 1_000} seconds`)))
      let cancelSilence = limit(silenceMsMax)
      const cancelLimit = clock.setTimer(downloadMsMax, () =>
        sent.end(new Error(`it did not arrive within ${downloadMsMax / minuteMs} minutes`)),
      )
      const sent = new SentRequest(new Connection({ url }), {
        onAnswer(status, { 'content-length': length }) {
          if (status !== 200) failed(`its server answered HTTP ${status}`)
          else if (Number(length ?? 0) > bytesMax) resolve({ kind: 'tooLarge' })
          else return
          sent.end(new Error('the rest is not needed'))
        },
        onData(piece) {
          cancelSilence()
          cancelSilence = limit(silenceMsMax)
          bytes += piece.length
          pieces += 1
          try {
            if (bytes > bytesMax) resolve({ kind: 'tooLarge' })
            // Each is a write to the disk.
            else if (areTooSmall(pieces, bytes)) failed('its server sends it in pieces that are too small')
            else {
              checkFree(bytes)
              writeAll(file, piece)
              hash.update(piece)
              if (head.length < headBytes) head = Buffer.concat([head, piece]).subarray(0, headBytes)
              return
            }
          } catch (error) {
            reject(error)
          }
          sent.end(new Error('the rest is not needed'))
        },
        onEnd(failure) {
          cancelSilence()
          cancelLimit()
          // After another end this does nothing.
          if (failure) failed(failure.error.message)
          else resolve(null)
        },
      })
      sent.start({ method: 'GET', path: url.pathname + url.search, headers, isLast: true })
    })
    if (end) return end
    fsyncSync(file)
    return { kind: 'downloaded', bytes, sha256: hash.digest('hex'), head }
  } finally {
    closeSync(file)
  }
}

/** The system may take less than it is given. */
function writeAll(file: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length; at += writeSync(file, piece, at)) {}
}
