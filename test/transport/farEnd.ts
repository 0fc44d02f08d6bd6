import { readdirSync } from 'node:fs'
import net from 'node:net'
import type { Clock } from '../../src/base/clock.ts'
import { createTransport, type HttpRequest, type Transport } from '../../src/transport/transport.ts'

const closers: (() => unknown)[] = []
/** What a test opens is closed after it: to be called after each. */
export async function closeOpened(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}
/** Has something closed after the test. */
export function closeLater(close: () => unknown): void {
  closers.push(close)
}

/** A transport that is closed after the test. */
export function openTransport(clock: Clock): Transport {
  const transport = createTransport(clock)
  closeLater(() => transport.close())
  return transport
}

/** A server that speaks no protocol but what the test says. */
export async function listen(serve: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise(resolve => server.close(resolve))
  })
  return (server.address() as net.AddressInfo).port
}

/** As many connections the system takes for a program that does not look; who comes later hangs. */
export const acceptedUnheard = 512

/** Listens, and then never looks again. */
const deafProgram = `
const { port } = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
require('node:fs').writeSync(1, port + '\\n')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`

/** @returns a port at which connections are taken up to `acceptedUnheard`, and never answered */
export async function deafPort(): Promise<number> {
  const child = Bun.spawn([process.execPath, '-e', deafProgram], { stdout: 'pipe', stdin: 'ignore', stderr: 'ignore' })
  closers.push(() => {
    child.kill('SIGKILL')
    return child.exited
  })
  const { value } = await child.stdout.getReader().read()
  return Number(new TextDecoder().decode(value))
}

/** How many files and sockets this process holds open, where the system tells. */
export const openFiles = () => readdirSync('/proc/self/fd').length

/** A whole answer, and the connection stays open. */
export const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/**
 * A server that answers every request alike, or leaves that to the test.
 * @returns its connections in order, and how to wait until so many requests came: the last one's connection
 */
export async function serveInHand(automatic?: string) {
  const sockets: net.Socket[] = []
  let count = 0
  let latest: net.Socket | undefined
  let wake = () => {}
  const port = await listen(socket => {
    sockets.push(socket)
    socket.on('data', () => {
      count += 1
      latest = socket
      if (automatic !== undefined) socket.write(automatic)
      wake()
    })
  })
  async function requests(until: number): Promise<net.Socket | undefined> {
    while (count < until) await new Promise<void>(resolve => (wake = resolve))
    return latest
  }
  return { port, sockets, requests }
}

export const post = (url: string, fields: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 30_000,
  ...fields,
})
