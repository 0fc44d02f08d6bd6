import { afterEach, expect, test } from 'bun:test'
import { Connection } from '../../src/transport/connection.ts'
import { type ExchangeFailure, SentRequest } from '../../src/transport/request.ts'
import { closeLater, closeOpened, listen } from './farEnd.ts'

/** Real sockets are the subject here. */
afterEach(closeOpened)

const body = 'x'.repeat(3_000_000)

test.each([
  ['a length', `Content-Length: ${body.length}\r\n`],
  ['the end of the connection', ''],
])('a reader that pauses at each piece gets a whole answer that ends with %s', async (_, length) => {
  const port = await listen(socket => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\n${length}\r\n${body}`)
      if (length === '') socket.end()
    })
  })
  const connection = new Connection({ url: new URL(`http://127.0.0.1:${port}`) })
  closeLater(() => connection.destroy(new Error('the test is over')))
  let bytes = 0
  const failure = await new Promise<ExchangeFailure | null>(onEnd => {
    const sent = new SentRequest(connection, {
      onAnswer() {},
      onData(piece) {
        bytes += piece.length
        sent.pause()
        setImmediate(() => sent.resume())
      },
      onEnd,
    })
    sent.start({ method: 'GET', path: '/', headers: {}, isLast: true })
  })
  expect({ failure, bytes }).toEqual({ failure: null, bytes: body.length })
})
