import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type net from 'node:net'
import { join } from 'node:path'
import { tick } from 'undici/lib/util/timers.js'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import { idleConnectionsMax } from '../../src/transport/connections.ts'
import { ManualClock } from '../clock.ts'
import { answer, closeLater, closeOpened, listen, openTransport, post, serveInHand } from './farEnd.ts'
import type { Program } from './program.ts'

/** Real sockets are the subject here. */
afterEach(closeOpened)

let clock: ManualClock
beforeEach(() => {
  clock = new ManualClock()
})

const open = () => openTransport(clock)

describe('a connection', () => {
  test('a break touches no other exchange', async () => {
    const sockets: net.Socket[] = []
    const both = Promise.withResolvers<void>()
    const port = await listen(socket =>
      socket.once('data', () => {
        if (sockets.push(socket) === 2) both.resolve()
      }),
    )
    const transport = open()
    const ends = [1, 2].map(() => transport.exchange(post(`http://127.0.0.1:${port}/`)))
    await both.promise
    sockets[0]?.resetAndDestroy()
    const first = await Promise.race(ends)
    expect(first).toMatchObject({ kind: 'lost' })
    sockets[1]?.write(answer)
    expect((await Promise.all(ends)).map(end => end.kind).toSorted()).toEqual(['answered', 'lost'])
  })

  test('the one used last is used first', async () => {
    const { port, sockets, requests } = await serveInHand()
    const transport = open()
    const send = () => transport.exchange(post(`http://127.0.0.1:${port}/`))
    const ends = [send(), send()]
    await requests(2)
    for (const socket of [sockets[1], sockets[0]]) {
      socket?.write(answer)
      await Promise.race(ends)
    }
    await Promise.all(ends)
    for (let count = 3; count < 6; count += 1) {
      const end = send()
      expect(await requests(count)).toBe(sockets[0])
      sockets[0]?.write(answer)
      expect(await end).toMatchObject({ kind: 'answered' })
    }
    expect(sockets).toHaveLength(2)
  })

  test('when an idle one has gone, another idle one is used', async () => {
    const { port, sockets, requests } = await serveInHand()
    const transport = open()
    const send = () => transport.exchange(post(`http://127.0.0.1:${port}/`))
    const ends = [send(), send()]
    await requests(2)
    for (const socket of sockets) socket.write(answer)
    await Promise.all(ends)
    const [first, second] = sockets
    const closed = new Promise(resolve => second?.once('close', resolve))
    second?.end()
    await closed
    const end = send()
    expect(await requests(3)).toBe(first)
    first?.write(answer)
    expect(await end).toMatchObject({ kind: 'answered' })
  })

  const kept: readonly [name: string, headers: string, idleMs: number][] = [
    ['4 s after its last answer', '', 4_000],
    ['1 s before the far end drops it', 'Keep-Alive: timeout=3\r\n', 2_000],
    ['4 s after its last answer, though the far end would keep it', 'Keep-Alive: timeout=60\r\n', 4_000],
  ]
  test.each(kept)('one is given up %s', async (_, headers, idleMs) => {
    const { port, sockets, requests } = await serveInHand(`HTTP/1.1 200 OK\r\n${headers}Content-Length: 2\r\n\r\nok`)
    const transport = open()
    const send = () => transport.exchange(post(`http://127.0.0.1:${port}/`))
    await send()
    clock.advance(idleMs - 1)
    await send()
    expect(sockets).toHaveLength(1)
    const [first] = sockets
    const closed = new Promise(resolve => first?.once('close', resolve))
    clock.advance(idleMs)
    await send()
    expect(sockets).toHaveLength(2)
    await closed
    expect(await requests(3)).toBe(sockets[1])
  })

  test('one from before the machine slept is given up, and one from before its time was set back is not kept longer', async () => {
    const { port, sockets } = await serveInHand('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    const transport = open()
    const send = () => transport.exchange(post(`http://127.0.0.1:${port}/`))
    await send()
    // Steady time stands still while a machine sleeps.
    clock.set(hourMs)
    await send()
    expect(sockets).toHaveLength(2)
    clock.set(-hourMs)
    await send()
    expect(sockets).toHaveLength(2)
    clock.advance(4_000)
    await send()
    expect(sockets).toHaveLength(3)
  })

  const last: readonly [name: string, answer: string][] = [
    ['Connection: close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['Keep-Alive: timeout=1', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok'],
    ['bytes beyond its end', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok!'],
  ]
  test.each(last)('an answer with %s is its last', async (_, answer) => {
    const { port, sockets } = await serveInHand(answer)
    const transport = open()
    for (const count of [1, 2]) {
      expect(await transport.exchange(post(`http://127.0.0.1:${port}/`))).toMatchObject({
        kind: 'answered',
        body: 'ok',
      })
      expect(sockets).toHaveLength(count)
    }
  })

  const unasked: readonly [name: string, act: (socket: net.Socket) => unknown][] = [
    ['says something', socket => socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n')],
    ['ends it', socket => socket.end()],
  ]
  test.each(unasked)('one is not used again when the far end %s while it is idle', async (_, act) => {
    const { port, sockets } = await serveInHand(answer)
    const transport = open()
    const send = () => transport.exchange(post(`http://127.0.0.1:${port}/`))
    await send()
    const [first] = sockets
    if (!first) throw new Error('no connection')
    const closed = new Promise(resolve => first.once('close', resolve))
    act(first)
    await closed
    expect(await send()).toMatchObject({ kind: 'answered', status: 200 })
    expect(sockets).toHaveLength(2)
  })

  test('one that spoke while it was idle is given up at once, not when its time is over', async () => {
    const { port, sockets, requests } = await serveInHand()
    const transport = open()
    const send = () => transport.exchange(post(`http://127.0.0.1:${port}/`))
    const ends = [send(), send()]
    await requests(2)
    const [first, last] = sockets
    for (const socket of [first, last]) {
      socket?.write(answer)
      await Promise.race(ends)
    }
    await Promise.all(ends)
    first?.write(answer)
    // Once this one has its answer, what the other one said has been read as well.
    const next = send()
    expect(await requests(3)).toBe(last)
    last?.write(answer)
    await next
    const both = [send(), send()]
    await requests(5)
    expect(sockets).toHaveLength(3)
    for (const socket of sockets.slice(1)) socket.write(answer)
    expect((await Promise.all(both)).map(({ kind }) => kind)).toEqual(['answered', 'answered'])
  })

  const ends: readonly [name: string, act: (socket: net.Socket) => unknown][] = [
    ['reset after the request', socket => socket.resetAndDestroy()],
    ['ended after the request', socket => socket.end()],
    ['reset within the answer', socket => socket.write(answer.slice(0, -1), () => socket.resetAndDestroy())],
    ['ended within the answer', socket => socket.end(answer.slice(0, -1))],
  ]
  test.each(ends)('a kept one that is %s: lost, and not repeated, whatever the method', async (_, act) => {
    for (const method of ['POST', 'GET'] as const) {
      const { port, sockets, requests } = await serveInHand()
      const transport = open()
      const send = () =>
        transport.exchange(post(`http://127.0.0.1:${port}/`, { method, ...(method === 'GET' && { body: '' }) }))
      const first = send()
      const far = await requests(1)
      far?.write(answer)
      await first
      const second = send()
      const again = await requests(2)
      expect(again).toBe(far)
      if (again) act(again)
      expect(await second).toMatchObject({ kind: 'lost' })
      // Whatever was sent once more would come before this one.
      const third = send()
      const other = await requests(3)
      other?.write(answer)
      expect(await third).toMatchObject({ kind: 'answered' })
      expect(sockets).toHaveLength(2)
    }
  })

  test('one that is silent for long while an answer is awaited is not given up for that', async () => {
    const { port, requests } = await serveInHand()
    const end = open().exchange(post(`http://127.0.0.1:${port}/`))
    const far = await requests(1)
    // Of the client's own time, whose limit is five minutes unless it is switched off.
    for (const minutes of [0, 15]) tick(minutes * minuteMs)
    far?.write(answer)
    expect(await end).toMatchObject({ kind: 'answered', body: 'ok' })
  })

  test('as many as its bound stay open when more were needed at once, and they are used again', async () => {
    const { port, sockets, requests } = await serveInHand()
    const transport = open()
    const send = () => transport.exchange(post(`http://127.0.0.1:${port}/`))
    const tooMany = 88
    const needed = idleConnectionsMax + tooMany
    const ends: ReturnType<typeof send>[] = []
    // In parts: what the server's queue of new connections has no room for is only tried again after a second.
    while (ends.length < needed) {
      ends.push(...Array.from({ length: Math.min(300, needed - ends.length) }, send))
      await requests(ends.length)
    }
    const closed = Promise.withResolvers<void>()
    let closedCount = 0
    for (const socket of sockets) {
      socket.once('close', () => {
        closedCount += 1
        if (closedCount === tooMany) closed.resolve()
      })
      socket.write(answer)
    }
    await Promise.all(ends)
    await closed.promise
    const again = Array.from({ length: idleConnectionsMax }, send)
    await requests(needed + idleConnectionsMax)
    expect(sockets).toHaveLength(needed)
    for (const socket of sockets) socket.write(answer)
    expect(new Set((await Promise.all(again)).map(end => end.kind))).toEqual(new Set(['answered']))
    expect(clock.pending).toBe(0)
  })

  test('an idle one keeps no process alive', async () => {
    const { port } = await serveInHand(answer)
    const stdin = new Response(JSON.stringify({ batches: [[post(`http://127.0.0.1:${port}/`)]] } satisfies Program))
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'program.ts')], { stdin, stdout: 'pipe' })
    closeLater(() => child.kill())
    expect(await child.stdout.json()).toMatchObject([[{ kind: 'answered' }]])
    expect(await child.exited).toBe(0)
  })
})

describe('closing', () => {
  test('what has left is lost, what has not is not sent, and nothing is sent any more', async () => {
    const arrived = Promise.withResolvers<void>()
    const busy = await listen(socket => socket.once('data', () => arrived.resolve()))
    const hello = Promise.withResolvers<void>()
    const securing = await listen(socket => socket.once('data', () => hello.resolve()))
    const transport = open()
    const ends = [
      transport.exchange(post(`http://127.0.0.1:${busy}/`)),
      transport.exchange(post(`https://127.0.0.1:${securing}/`)),
    ]
    await Promise.all([arrived.promise, hello.promise])
    const connecting = transport.exchange(post(`http://127.0.0.1:${busy}/`))
    transport.close()
    const kinds = await Promise.all([...ends, connecting].map(async end => (await end).kind))
    expect(kinds).toEqual(['lost', 'notSent', 'notSent'])
    expect(await transport.exchange(post(`http://127.0.0.1:${busy}/`))).toMatchObject({ kind: 'notSent' })
    expect(clock.pending).toBe(0)
  })

  test('idle connections are closed', async () => {
    const closed = Promise.withResolvers<void>()
    const port = await listen(socket => {
      socket.on('data', () => socket.write(answer))
      socket.on('close', () => closed.resolve())
    })
    const transport = open()
    await transport.exchange(post(`http://127.0.0.1:${port}/`))
    transport.close()
    await closed.promise
  })
})
