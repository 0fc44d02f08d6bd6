import { createServer, type Socket } from 'node:net'
import type { Received, Upstream } from '../upstream.ts'

/** What happens to the connection once a whole request was read. */
export type Behaviour = (socket: Socket, received: Received) => void

/** An upstream that breaks connections as no HTTP server would; it records every whole request like the stub. */
export interface RawUpstream extends Upstream {
  behave: Behaviour
}

export const ok = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

export const accepted: Behaviour = socket =>
  socket.write(ok(JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: `wamid.${Bun.randomUUIDv7()}` }] })))

export async function startRawUpstream(): Promise<RawUpstream> {
  const received: Received[] = []
  const open = new Set<Socket>()
  const server = createServer(socket => {
    let text = ''
    open.add(socket)
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.on('data', chunk => {
      text += chunk
      const request = parse(text)
      if (!request) return
      text = ''
      received.push(request)
      upstream.behave(socket, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the raw upstream has no address')
  const upstream: RawUpstream = {
    url: `http://127.0.0.1:${address.port}`,
    received,
    listings: [],
    behave: accepted,
    answer: () => {
      throw new Error('a raw upstream behaves, it does not answer')
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return upstream
}

/** @returns null while the request is not whole. */
function parse(text: string): Received | null {
  const end = text.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(text)?.[1]
  if (end < 0 || length === undefined || Buffer.byteLength(text) < end + 4 + Number(length)) return null
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const body = text.slice(end + 4)
  const headers = new Headers(lines.map(line => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]))
  return { method, path, headers, text: body, json: JSON.parse(body) }
}
