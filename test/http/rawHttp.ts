import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Larger than any answer of ours takes; a server that stays silent fails the test. */
const silenceMsMax = 5_000

/**
 * Writes these bytes to a socket and reads until the server closes it, or until the answer is whole. No HTTP client
 * stands between: neither path nor Host is put right.
 */
export function exchangeRaw(url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece)
    })
    const timer = setTimeout(() => socket.destroy(new Error(`no whole answer: ${JSON.stringify(text)}`)), silenceMsMax)
    const finish = () => {
      clearTimeout(timer)
      const answer = parse(text)
      socket.destroy()
      if (answer) resolve(answer)
      else reject(new Error(`not an answer: ${JSON.stringify(text)}`))
    }
    socket.setEncoding('utf8')
    socket.on('data', chunk => {
      text += chunk
      if (isWhole(text)) finish()
    })
    // A server that refuses early may reset the rest of a long body: what it said before counts.
    socket.on('error', error => (parse(text) ? finish() : reject(error)))
    socket.on('close', finish)
  })
}

function parse(text: string): RawAnswer | null {
  const end = text.indexOf('\r\n\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
  if (end < 0 || status === undefined) return null
  return { status: Number(status), head: text.slice(0, end), body: text.slice(end + 4) }
}

function isWhole(text: string): boolean {
  const answer = parse(text)
  const length = /^content-length: (\d+)$/im.exec(answer?.head ?? '')?.[1]
  return answer !== null && length !== undefined && Buffer.byteLength(answer.body) >= Number(length)
}

/** @returns the head of a request, written as it stands. */
export const rawHead = (line: string, headers: Readonly<Record<string, string>>): string =>
  `${line} HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
