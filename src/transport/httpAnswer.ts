import { FieldCollector, type HttpFields } from './httpFields.ts'

/** An answer as HTTP/1.x carried it. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: HttpFields
  readonly body: string
  /** How long the far end keeps the connection: 0 when it must not be used again, Infinity when it did not say. */
  readonly keepMs: number
}

/** What the bytes so far amount to. After anything but `incomplete` the reader is spent. */
export type Reading =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'whole'; readonly answer: HttpAnswer }
  | { readonly kind: 'malformed'; readonly why: string }

/** The upstream's answers have a few hundred bytes, listings some hundred kilobytes. */
const bodyBytesMax = 16 * 1024 * 1024
/** For each of: the headers, with those of interim answers; the line before a chunk; the trailers. */
const sectionBytesMax = 65_536

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const chunkLine = /^([0-9A-Fa-f]{1,16})[\t ]*(?:;.*)?$/
const wholeNumber = /^\d{1,16}$/

/** Ends the reading; never leaves this file. */
class Malformed extends Error {}

function malformed(why: string): never {
  throw new Malformed(why)
}

/**
 * Reads one answer to a GET, POST or DELETE (RFC 9112) from bytes that come in pieces of any size: the same bytes give
 * the same answer however they are cut. Strict, because what is guessed here would be taken for the end of a send.
 *
 *   status     the status line                        -> headers
 *   headers    fields up to an empty line             -> status (of an interim answer), sized, chunkSize, rest, done
 *   sized      a body of a known length               -> done
 *   chunkSize  the line before a chunk                -> chunk, trailers (the last chunk has no bytes)
 *   chunk      the bytes of a chunk                   -> chunkEnd
 *   chunkEnd   the line break after them              -> chunkSize
 *   trailers   fields up to an empty line, dropped    -> done
 *   rest       a body that ends with the connection   -> done
 *   done       what follows is not part of it
 */
export class AnswerReader {
  /** The bytes at hand as latin1, made when the first line is looked for in them. */
  #text: string | null = null
  #step: 'status' | 'headers' | 'sized' | 'chunkSize' | 'chunk' | 'chunkEnd' | 'trailers' | 'rest' | 'done' = 'status'
  /** The beginning of a line whose end has not come yet. */
  #line = ''
  #sectionBytes = 0
  #status = 0
  #isVersion10 = false
  #collector = new FieldCollector()
  #headers: HttpFields = {}
  /** Bytes of the body, or of the chunk, that have not come yet. */
  #missing = 0
  #bodyBytes = 0
  /** A body that comes in more than one piece. Copies: many small pieces would else keep many buffers. */
  #pieces: Bun.ArrayBufferSink | undefined
  #body = ''

  /** Takes the next bytes. */
  feed(bytes: Buffer): Reading {
    this.#text = null
    let at = 0
    try {
      while (this.#step !== 'done') {
        const end = this.#isInBody() ? this.#takeBody(bytes, at) : this.#takeLine(bytes, at)
        if (end === null) return { kind: 'incomplete' }
        at = end
      }
      return this.#whole(at === bytes.length ? this.#keepMs() : 0)
    } catch (error) {
      if (error instanceof Malformed) return { kind: 'malformed', why: error.message }
      throw error
    }
  }

  /** The far end has closed the connection. */
  end(): Reading {
    if (this.#step !== 'rest') return { kind: 'malformed', why: 'the answer was cut off' }
    this.#finishBody()
    return this.#whole(0)
  }

  #whole(keepMs: number): Reading {
    return { kind: 'whole', answer: { status: this.#status, headers: this.#headers, body: this.#body, keepMs } }
  }

  #isInBody(): boolean {
    return this.#step === 'sized' || this.#step === 'chunk' || this.#step === 'rest'
  }

  /** @returns where the line ends, or null when its end is not there yet */
  #takeLine(bytes: Buffer, at: number): number | null {
    // All at once: line by line it would take three times as long.
    this.#text ??= bytes.toString('latin1')
    const lineFeed = this.#text.indexOf('\n', at)
    const end = lineFeed < 0 ? bytes.length : lineFeed + 1
    this.#sectionBytes += end - at
    if (this.#sectionBytes > sectionBytesMax) malformed('the answer has headers that are too large')
    if (lineFeed < 0) {
      this.#line += this.#text.slice(at)
      return null
    }
    this.#readLine(this.#endLine(this.#text, at, lineFeed))
    return end
  }

  /** @returns the line without its line break */
  #endLine(text: string, at: number, lineFeed: number): string {
    // A line that is here whole, as nearly all are, is cut out only once.
    if (this.#line === '' && lineFeed > at && text[lineFeed - 1] === '\r') return text.slice(at, lineFeed - 1)
    const line = this.#line + text.slice(at, lineFeed)
    this.#line = ''
    if (!line.endsWith('\r')) malformed('the answer has a line that does not end as HTTP says')
    return line.slice(0, -1)
  }

  #readLine(line: string): void {
    switch (this.#step) {
      case 'status': {
        const [, minor, status] = statusLine.exec(line) ?? malformed('the answer is not HTTP')
        this.#isVersion10 = minor === '0'
        this.#status = Number(status)
        this.#step = 'headers'
        break
      }
      case 'headers':
        if (line === '') this.#endHeaders()
        else this.#addField(line)
        break
      case 'chunkSize': {
        const [, digits = ''] = chunkLine.exec(line) ?? malformed('the answer has a chunk without a size')
        this.#missing = Number.parseInt(digits, 16)
        this.#countBody(this.#missing)
        this.#sectionBytes = 0
        this.#step = this.#missing === 0 ? 'trailers' : 'chunk'
        break
      }
      case 'chunkEnd':
        if (line !== '') malformed('the answer has a chunk that is longer than it says')
        this.#sectionBytes = 0
        this.#step = 'chunkSize'
        break
      case 'trailers':
        if (line === '') this.#finishBody()
        else this.#addField(line)
        break
    }
  }

  #addField(line: string): void {
    if (!this.#collector.add(line)) malformed('the answer has a header that is none')
  }

  /** RFC 9112 6.3: what decides where the body ends, in its order. */
  #endHeaders(): void {
    const headers = this.#collector.fields
    this.#collector = new FieldCollector()
    if (this.#status === 101) malformed('the answer changes to a protocol that nobody asked for')
    if (this.#status < 200) {
      this.#step = 'status'
      return
    }
    this.#headers = headers
    const { 'transfer-encoding': coding, 'content-length': length } = headers
    if (this.#status === 204 || this.#status === 304) {
      this.#step = 'done'
    } else if (coding !== undefined) {
      // Both at once, or one that HTTP/1.0 does not know, is how answers are smuggled past a proxy.
      if (length !== undefined || this.#isVersion10) malformed('the answer has two lengths')
      if (coding.toLowerCase() !== 'chunked') malformed('the answer has a transfer coding that nobody asked for')
      this.#sectionBytes = 0
      this.#step = 'chunkSize'
    } else if (length !== undefined) {
      if (!wholeNumber.test(length)) malformed('the answer has a length that is no number')
      this.#missing = Number(length)
      this.#countBody(this.#missing)
      this.#step = this.#missing === 0 ? 'done' : 'sized'
    } else {
      this.#step = 'rest'
    }
  }

  #countBody(bytes: number): void {
    this.#bodyBytes += bytes
    if (this.#bodyBytes > bodyBytesMax) malformed('the answer is too large')
  }

  /** @returns where the body, or this chunk of it, ends, or null when the end is not there yet */
  #takeBody(bytes: Buffer, at: number): number | null {
    const available = bytes.length - at
    const isRest = this.#step === 'rest'
    const count = isRest ? available : Math.min(available, this.#missing)
    const end = at + count
    if (isRest) this.#countBody(count)
    else this.#missing -= count
    const isWhole = !isRest && this.#missing === 0
    if (this.#step === 'sized' && isWhole && !this.#pieces) {
      this.#body = bytes.toString('utf8', at, end)
      this.#step = 'done'
      return end
    }
    this.#pieces ??= new Bun.ArrayBufferSink()
    this.#pieces.write(bytes.subarray(at, end))
    if (!isWhole) return null
    if (this.#step === 'chunk') this.#step = 'chunkEnd'
    else this.#finishBody()
    return end
  }

  /** Decodes the pieces as one: a character may lie in two of them. */
  #finishBody(): void {
    if (this.#pieces) this.#body = Buffer.from(this.#pieces.end() as ArrayBuffer).toString('utf8')
    this.#step = 'done'
  }

  #keepMs(): number {
    if (this.#isVersion10) return 0
    const { connection, 'keep-alive': keepAlive } = this.#headers
    if (connection !== undefined && /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i.test(connection)) return 0
    const seconds = keepAlive && /(?:^|[,;])[\t ]*timeout[\t ]*=[\t ]*(\d{1,9})/i.exec(keepAlive)?.[1]
    return seconds ? Number(seconds) * 1000 : Number.POSITIVE_INFINITY
  }
}
