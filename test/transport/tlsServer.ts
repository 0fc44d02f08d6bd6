import type net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { closeLater } from './farEnd.ts'

export const certificates = join(import.meta.dir, 'certificates')
/** Made by the script beside them. */
export const certificate = (name: string) => Bun.file(join(certificates, `${name}.pem`)).text()
export const ca = await certificate('ca')
export const key = await certificate('key')

export interface TlsServer {
  readonly port: number
  /** What came through the encryption, of all connections together. */
  readonly received: string[]
  /** The name that the client asked for and the protocol agreed on, by connection. */
  readonly greetings: unknown[]
  /** Resolves when there was a connection and all have ended, so that nothing more can come. */
  readonly ended: Promise<void>
}

/** Writes an answer with the body `ok`. */
const answerOk = (socket: tls.TLSSocket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')

/** @param serve answers a request, which is the first one of its connection, the second, …; by default each alike */
export async function listenTls(
  name: string,
  options: tls.TlsOptions = {},
  host = '127.0.0.1',
  serve: (socket: tls.TLSSocket, count: number) => unknown = answerOk,
): Promise<TlsServer> {
  const received: string[] = []
  const greetings: unknown[] = []
  const open = new Set<net.Socket>()
  const ended = Promise.withResolvers<void>()
  const server = tls.createServer({ key, cert: await certificate(name), ...options }, socket => {
    greetings.push([socket.servername, socket.alpnProtocol])
    socket.on('error', () => {})
    let count = 0
    socket.on('data', bytes => {
      received.push(bytes.toString('latin1'))
      count += 1
      serve(socket, count)
    })
  })
  server.on('connection', (socket: net.Socket) => {
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      if (open.size === 0) ended.resolve()
    })
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  closeLater(() => {
    for (const socket of open) socket.destroy()
    return new Promise(resolve => server.close(resolve))
  })
  return { port: (server.address() as net.AddressInfo).port, received, greetings, ended: ended.promise }
}
