import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { download } from '../../../src/media/incoming/download.ts'
import { ManualClock } from '../../clock.ts'
import { closeLater, closeOpened, listen } from '../../transport/farEnd.ts'

afterEach(closeOpened)

test('a file that comes in pieces of a byte is given up: each is a write to the disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-test-'))
  closeLater(() => rmSync(folder, { recursive: true }))
  const block = '1\r\nx\r\n'.repeat(1_000)
  const port = await listen(socket => {
    const more = () => {
      while (!socket.destroyed && socket.write(block)) {}
    }
    socket.on('drain', more).once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      more()
    })
  })
  const clock = new ManualClock()
  const url = new URL(`http://127.0.0.1:${port}/`)
  const order = { url, headers: {}, path: join(folder, 'file'), bytesMax: 1_048_576, bytes: null }
  const why = 'its server sends it in pieces that are too small'
  expect(await download(order, clock)).toEqual({ kind: 'failed', why })
  expect(clock.pending).toBe(0)
})
