import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Connection } from './connection.ts'

export type RequestBody = string | Uint8Array | readonly Uint8Array[] | PieceSource
export type RequestMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'

/** A body that is made while it is sent. Each piece is asked for when the system has taken the one before. */
export interface PieceSource {
  /** Of all pieces together: with others the request fails. */
  readonly bytes: number
  pieces(): AsyncIterable<Uint8Array>
}

export interface OutgoingRequest {
  readonly method: RequestMethod
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The pieces of a list are written one after the other, and not copied because files are large. */
  readonly body?: RequestBody | undefined
  /** No other request follows on its connection. */
  readonly isLast?: boolean
}

/** Why there is no whole answer. */
export interface ExchangeFailure {
  /** False: no byte of the request has left, so that it can be repeated. */
  readonly hasLeft: boolean
  readonly error: Error
}

export interface RequestEvents {
  /** The status and the headers have arrived, and the body follows. */
  onAnswer(status: number, headers: IncomingHttpHeaders): void
  onData(piece: Buffer): void
  /** Called once: null after the whole answer was read, by `end` or otherwise a failure. */
  onEnd(failure: ExchangeFailure | null): void
}

/** Interim answers (1xx) before the answer. Servers send one or two. */
const interimAnswersMax = 16

/**
 * One request over a connection that has no other request in flight. Nothing is written before the connection is open
 * and the far end has proved its name: a request that fails until then has not left. From the first write on it counts
 * as sent, also when the write fails. A failure closes the connection.
 */
export class SentRequest implements Dispatcher.DispatchHandler {
  readonly #connection: Connection
  readonly #events: RequestEvents
  #controller: Dispatcher.DispatchController | undefined
  #isWhole = false
  #isOver = false
  #isInDoubt = false
  #interimAnswers = 0

  constructor(connection: Connection, events: RequestEvents) {
    this.#connection = connection
    this.#events = events
  }

  start({ method, path, headers, body, isLast }: OutgoingRequest) {
    for (const name in headers) {
      // The value is not shown: it may be a secret.
      if (notAscii.test(headers[name] ?? ''))
        return this.end(new Error(`the header ${name} has a character that is not ASCII`))
    }
    const target = { method, path, headers, ...(isLast && { reset: true }) }
    if (typeof body === 'string') this.#connection.send({ ...target, body }, this)
    else if (body instanceof Uint8Array) this.#connection.send({ ...target, body }, this)
    else if (!body) this.#connection.send(target, this)
    else {
      const isMade = 'pieces' in body
      const length = isMade ? body.bytes : body.reduce((sum, piece) => sum + piece.length, 0)
      const sized = { ...headers, 'content-length': String(length) }
      this.#connection.send({ ...target, headers: sized, body: Readable.from(isMade ? body.pieces() : body) }, this)
    }
  }

  /** Ends it at once, which is harmless after its end. */
  end(error: Error): void {
    this.#finish({ hasLeft: this.#controller !== undefined, error })
  }

  /** Bytes that have already arrived may still be delivered. */
  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  #finish(failure: ExchangeFailure | null): void {
    if (this.#isOver) return
    this.#isOver = true
    if (failure) this.#connection.destroy(failure.error)
    this.#events.onEnd(failure)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    if (this.#controller || this.#isOver) return controller.abort(new Error('a request is sent once'))
    this.#controller = controller
  }

  onRequestSent() {
    this.#isWhole = true
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, fields: Fields) {
    this.#connection.hasRead()
    // It may come with the bytes for which the request was ended.
    if (this.#isOver) return
    if (status === 101) return this.end(new Error('the answer changes to another protocol'))
    if (status < 200) {
      this.#interimAnswers += 1
      if (this.#interimAnswers > interimAnswersMax) this.end(new Error('the answer has too many interim answers'))
      return
    }
    const headers = single(fields)
    const { 'transfer-encoding': coding, 'content-length': length } = headers
    // Nothing else is decoded.
    if (coding !== undefined && coding.toLowerCase() !== 'chunked')
      return this.end(new Error('the answer has an unknown transfer coding'))
    // The end of the connection ends an answer without a length. If it also cut the request, the answer is not
    // complete.
    this.#isInDoubt = coding === undefined && length === undefined && !this.#hasWritten()
    this.#events.onAnswer(status, headers)
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Buffer) {
    this.#connection.hasRead()
    // Undici flushes its parser with an empty piece when it resumes: a reader that pauses on that would never resume.
    if (!this.#isOver && piece.length > 0) this.#events.onData(piece)
  }

  onResponseEnd() {
    if (this.#isInDoubt || this.#connection.isBroken) return this.end(new Error('the answer was cut off'))
    // The server would read the rest of the request as the next one.
    if (!this.#hasWritten()) this.#connection.destroy(new Error('the answer came before the request was whole'))
    this.#finish(null)
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error) {
    this.end(error)
  }

  #hasWritten(): boolean {
    return this.#isWhole && !this.#connection.isWriting
  }
}

type Fields = Record<string, string | string[] | undefined>

/** Fields that have one value. Of several, the first counts, as `node:http` has it. */
const singleFields: ReadonlySet<string> = new Set(['content-type', 'location', 'retry-after'])

/** @returns the same fields, each as one text: a field that comes several times is a list (RFC 9110 5.3). */
function single(fields: Fields): IncomingHttpHeaders {
  for (const name in fields) {
    const value = fields[name]
    if (Array.isArray(value)) fields[name] = singleFields.has(name) ? value[0] : value.join(', ')
  }
  return fields as IncomingHttpHeaders
}

/** RFC 9110 5.5 allows latin1, but servers read such bytes as different texts. */
const notAscii = /[\x80-\uffff]/
