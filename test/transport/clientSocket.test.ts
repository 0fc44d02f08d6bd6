import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { ClientSocket } from '../../src/transport/clientSocket.ts'

/** What the runtime has: it tells the end of the far end also while it is paused. */
class RawSocket extends EventEmitter {
  readonly written: string[] = []
  isHoldingProcess = true
  isPaused = false
  destroyed = false
  writableNeedDrain = false
  unref(): void {
    this.isHoldingProcess = false
  }
  pause(): void {
    this.isPaused = true
  }
  resume(): void {
    this.isPaused = false
  }
  write(data: string | Buffer): boolean {
    this.written.push(data.toString())
    return !this.writableNeedDrain
  }
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

const bytesMax = 1_000

/** With a client that reads as undici does: at once, until it does not want to read on. */
function opened() {
  const raw = new RawSocket()
  const socket = new ClientSocket(raw as unknown as Socket, bytesMax)
  const seen: string[] = []
  const read = () => {
    for (let piece = socket.read(); piece; piece = socket.read()) seen.push(piece.toString())
  }
  socket.on('readable', read)
  for (const event of ['end', 'drain', 'error', 'close']) socket.on(event, () => seen.push(`(${event})`))
  return { raw, socket, seen, read }
}

const nextTick = () => new Promise<void>(resolve => process.nextTick(resolve))

test('what comes is handed on at once, and what happens is told', () => {
  const { raw, seen } = opened()
  raw.emit('data', Buffer.from('one'))
  raw.emit('data', Buffer.from('two'))
  raw.emit('drain')
  raw.emit('end')
  raw.emit('error', new Error('reset'))
  raw.emit('close')
  expect(seen).toEqual(['one', 'two', '(drain)', '(end)', '(error)', '(close)'])
})

test('while nobody wants to read on, the runtime keeps what comes, and the end is told after the rest was read', async () => {
  const { raw, socket, seen, read } = opened()
  socket.unshift(Buffer.from('rest'))
  expect(raw.isPaused).toBe(true)
  raw.emit('end')
  await nextTick()
  expect(seen).toEqual([])
  read()
  expect(raw.isPaused).toBe(false)
  // Within a call of the client it would find its own work half done.
  expect(seen).toEqual(['rest'])
  await nextTick()
  expect(seen).toEqual(['rest', '(end)'])
})

test('a socket that has closed meanwhile tells no end behind it', async () => {
  const { raw, socket, seen, read } = opened()
  socket.unshift(Buffer.alloc(0))
  raw.emit('end')
  socket.on('close', read)
  socket.destroy()
  await nextTick()
  expect(seen).toEqual(['(close)'])
})

test('a head leaves together with its body, but not with a large one', () => {
  const { raw, socket } = opened()
  const send = (head: string, body: Buffer) => {
    socket.cork()
    socket.write(head)
    socket.write(body)
    socket.uncork()
  }
  send('head ', Buffer.from('body'))
  send('head ', Buffer.alloc(65_536, 'x'))
  socket.write('alone')
  socket.cork()
  socket.write('head')
  socket.uncork()
  expect(raw.written).toEqual(['head body', 'head ', 'x'.repeat(65_536), 'alone', 'head'])
})

test('a writer is told to wait when the runtime takes no more', () => {
  const { raw, socket } = opened()
  expect(socket.write(Buffer.from('piece'))).toBe(true)
  raw.writableNeedDrain = true
  expect(socket.write(Buffer.from('piece'))).toBe(false)
  expect(socket.write('piece')).toBe(false)
})

test('more than its bound is not read when nothing of it could be understood', () => {
  const { raw, socket, seen } = opened()
  const piece = Buffer.alloc(bytesMax, 'x')
  raw.emit('data', piece)
  socket.hasRead()
  raw.emit('data', piece)
  raw.emit('data', Buffer.from('y'))
  expect(socket.destroyed).toBe(false)
  raw.emit('data', Buffer.from('z'))
  expect(socket.destroyed).toBe(true)
  expect(seen).toContain('(close)')
})

test('it keeps no process alive, and is destroyed at once', () => {
  const { raw, socket } = opened()
  expect(raw.isHoldingProcess).toBe(false)
  expect(socket.destroy(new Error('enough'))).toBe(socket)
  expect(socket.destroyed).toBe(true)
})
