import { type AddressInfo, createServer, type Socket } from 'node:net'

/** An answer of the gateway, without the header that says where it ends. */
interface Answer {
  readonly head: string
  readonly body: string
}

interface Fault {
  /** Of how many answers for one message this becomes; later ones arrive as the gateway gave them. */
  readonly times: number
  /** Whether the request reaches the gateway at all. */
  readonly isLost?: true
  spoil(socket: Socket, answer: Answer): void
}

/** Between two bytes, or informational answers, of a proxy that never comes to the end. */
const dripMs = 20

const sized = ({ head, body }: Answer, more = 0) => `${head}Content-Length: ${Buffer.byteLength(body) + more}\r\n\r\n`
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const chunked = ({ head }: Answer) => `${head}Transfer-Encoding: chunked\r\n\r\n`
const half = (text: string) => text.slice(0, text.length / 2)
const informational = 'HTTP/1.1 100 Continue\r\n\r\n'

/** The connection ends in order after this text. */
const ends = (times: number, text: (answer: Answer) => string): Fault => ({
  times,
  spoil: (socket, answer) => socket.end(text(answer)),
})
/** The connection is reset after this text. */
const resets = (times: number, text: (answer: Answer) => string): Fault => ({
  times,
  spoil: (socket, answer) => socket.write(text(answer), () => socket.resetAndDestroy()),
})
/** Nothing follows this text, and the connection stays open. */
const stalls = (text: (answer: Answer) => string): Fault => ({
  times: 1,
  spoil: (socket, answer) => {
    socket.write(text(answer))
  },
})
/** One of these follows the other, and the end never comes. */
const drips = (parts: (answer: Answer) => Iterable<string>): Fault => ({
  times: 1,
  spoil(socket, answer) {
    const rest = parts(answer)[Symbol.iterator]()
    // The caller may have gone before this begins: to wait for the end of the connection would come too late.
    const drip = setInterval(() => {
      if (socket.destroyed) clearInterval(drip)
      else socket.write(rest.next().value ?? ' ')
    }, dripMs)
  },
})
/** The gateway's answer is replaced by another whole one. */
const replaced = (status: string, body: string, header = '') =>
  ends(2, () => sized({ head: `HTTP/1.1 ${status}\r\nConnection: close\r\n${header}`, body }) + body)
const page = '<html><body>The server is busy.</body></html>'

function* forever(text: string): Iterable<string> {
  for (;;) yield text
}

/** What a caller meets between itself and the gateway, in which the message may have been taken all the same. */
export const faults = {
  'the request is lost': { times: 2, isLost: true, spoil: socket => socket.resetAndDestroy() },
  'reset before the answer': { times: 2, spoil: socket => socket.resetAndDestroy() },
  'closed before the answer': ends(2, () => ''),
  'cut in the status line': ends(2, () => 'HTTP/1.1 20'),
  'cut in the header': ends(2, answer => half(sized(answer))),
  'cut before the body': ends(2, sized),
  'cut in the body': ends(2, answer => sized(answer) + half(answer.body)),
  'cut in a body without a length': ends(2, answer => `${answer.head}\r\n${half(answer.body)}`),
  'cut in a chunk': ends(2, answer => chunked(answer) + half(chunkOf(answer.body))),
  'cut between two chunks': ends(2, answer => chunked(answer) + chunkOf(half(answer.body))),
  'reset in the body': resets(2, answer => sized(answer) + half(answer.body)),
  'a garbled status line': ends(2, answer => `HTTZ!1 ok\r\n\r\n${answer.body}`),
  'a garbled status': ends(2, answer => `HTTP/1.1 20x\r\n\r\n${answer.body}`),
  'a garbled chunk size': ends(2, answer => `${chunked(answer)}xyz\r\n${answer.body}\r\n0\r\n\r\n`),
  'garbled JSON': ends(2, ({ head, body }) => {
    const garbled = { head, body: body.replace('":', '=') }
    return sized(garbled) + garbled.body
  }),
  'half a body that claims to be compressed': ends(2, ({ head, body }) => {
    const packed = { head: `${head}Content-Encoding: gzip\r\n`, body: half(body) }
    return sized(packed) + packed.body
  }),
  'an empty answer': replaced('200 OK', ''),
  'no content': replaced('204 No Content', ''),
  'null for an object': replaced('200 OK', 'null'),
  'a list for an object': replaced('200 OK', '[]'),
  'a text for an object': replaced('200 OK', '"ok"'),
  'an object of another kind': replaced('200 OK', '{"ok":true}'),
  'a success without data': replaced('200 OK', '{"success":true}'),
  'a page with 200': replaced('200 OK', page),
  'a page with 502': replaced('502 Bad Gateway', page),
  'a page with 503': replaced('503 Service Unavailable', page, 'Retry-After: 0\r\n'),
  'a page with 520': replaced('520 Unknown Error', page),
  'informational answers first': ends(2, answer => informational.repeat(20) + sized(answer) + answer.body),
  'no answer in time': stalls(() => ''),
  'no end in time': stalls(answer => sized(answer) + half(answer.body)),
  'a length that is too long': stalls(answer => sized(answer, 1) + answer.body),
} satisfies Record<string, Fault>

/** An answer that is larger than any of the gateway's: more than the clients' own bound. */
const hugeBytes = 64 * 2 ** 20 + 1

/** What only the clients promise to survive as well: a recipe stays short. */
export const rareFaults = {
  'bytes that are no UTF-8': {
    times: 2,
    spoil(socket, answer) {
      const wrong = { ...answer, body: answer.body.replace(/"status":"\w+"/, '"status":"\xe4"') }
      const length = Buffer.byteLength(wrong.body, 'latin1')
      socket.end(Buffer.from(`${answer.head}Content-Length: ${length}\r\n\r\n${wrong.body}`, 'latin1'))
    },
  },
  'data of another kind': replaced('200 OK', '{"success":true,"data":[]}'),
  'a message without an id': replaced('200 OK', '{"success":true,"data":{"status":"SENT"}}'),
  'brackets without end': replaced('200 OK', '['.repeat(200_000)),
  'an answer that is too large': ends(1, ({ head }) => `${head}\r\n${' '.repeat(hugeBytes)}`),
  'a header that drips': drips(({ head }) => `${head}X-Drip: ${'x'.repeat(10_000)}`),
  'a body that drips': drips(({ head }) => [`${head}\r\n`]),
  'informational answers for ever': drips(() => forever(informational)),
} satisfies Record<string, Fault>

const all: Readonly<Record<string, Fault>> = { ...faults, ...rareFaults }

/** What a message says: the proxy reads from it how to spoil the answers, and the upstream whose message it is. */
export const contentOf = (caller: string, fault: string) => `${caller}: ${fault}`

export interface FaultyProxy {
  readonly url: string
  close(): Promise<void>
}

/** A proxy before a gateway that passes each request on, and spoils the first answers as the message's content says. */
export async function startFaultyProxy(gateway: string): Promise<FaultyProxy> {
  const requests = new Map<string, number>()
  const sockets = new Set<Socket>()

  async function answer(socket: Socket, request: Request): Promise<void> {
    const text = await request.text()
    const { content } = JSON.parse(text) as { content: string }
    const count = (requests.get(content) ?? 0) + 1
    requests.set(content, count)
    const fault = all[content.replace(/^.*: /, '')]
    const isFaulty = fault !== undefined && count <= fault.times
    if (isFaulty && fault.isLost) {
      fault.spoil(socket, { head: '', body: '' })
      return
    }
    const { method, url, headers } = request
    const answered = await fetch(url, { method, headers, body: text })
    const type = answered.headers.get('content-type')
    const head = `HTTP/1.1 ${answered.status} Passed On\r\nContent-Type: ${type}\r\nConnection: close\r\n`
    const given = { head, body: await answered.text() }
    if (isFaulty) fault.spoil(socket, given)
    else socket.end(sized(given) + given.body)
  }

  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let received = ''
    socket.on('data', bytes => {
      received += bytes.toString('latin1')
      const request = wholeRequest(received, gateway)
      if (request === null) return
      received = ''
      void answer(socket, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** @returns the request for the gateway; null while a part of it is missing */
function wholeRequest(received: string, gateway: string): Request | null {
  const [head = '', body] = received.split('\r\n\r\n', 2)
  if (body === undefined) return null
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = new Headers(lines.map(line => line.split(/: */, 2) as [string, string]))
  if (body.length < Number(headers.get('content-length') ?? 0)) return null
  for (const name of ['host', 'connection', 'content-length', 'accept-encoding']) headers.delete(name)
  return new Request(gateway + path, { method, headers, body: Buffer.from(body, 'latin1') })
}
