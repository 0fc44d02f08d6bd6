import { beforeEach, describe, expect, test } from 'bun:test'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { firstLine } from '../../cli/waypost.ts'
import { freshFixture } from '../../fixture.ts'
import { canMount, mountSmallDisk } from '../../smallDisk.ts'
import { graphError, postCallback } from '../../upstream.ts'
import { Installation } from './installation.ts'

const installation = freshFixture(() => Installation.make())
beforeEach(() => {
  installation.upstream.answer = () =>
    graphError(401, { code: 190, message: 'Token expired', type: 'OAuthException', fbtrace_id: 'T' })
})

/** As a service manager does that appends the log to a file. */
async function serveLoggingTo(path: string) {
  const log = openSync(path, 'a')
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, '../../../src/main.ts'), 'serve', '--json'], {
    env: { PORT: '0', LOG_FORMAT: 'json', DATA_DIR: installation.dataDir, CHANNEL_API_URL: installation.upstream.url },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: log,
  })
  closeSync(log)
  const { url } = JSON.parse(await firstLine(child.stdout)) as { url: string }
  return { child, url }
}

describe.skipIf(process.platform !== 'linux')('a log that can never be written', () => {
  test('costs no answer, no stored outcome and no callback, and the end is in order', async () => {
    const { child, url } = await serveLoggingTo('/dev/full')
    try {
      const refused = await installation.send(url, 'order-1')
      const { messageId } = JSON.parse(refused.details) as { messageId: string }
      const { callbackPath, appSecret } = installation.seeded
      const broken = { object: 'x', entry: [{ changes: [{ field: 'messages', value: { statuses: [7] } }] }] }
      const told = await postCallback(url + callbackPath, broken, appSecret)
      expect(refused).toMatchObject({ status: 502, error: 'CHANNEL_GRAPH_ERROR' })
      expect(told.status).toBe(200)
      expect(await installation.status(url, messageId)).toMatchObject({ status: 200, state: 'FAILED' })
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  })
})

describe.skipIf(!canMount)('a log on a disk that gets full', () => {
  const disk = freshFixture(() => mountSmallDisk(256))

  test('costs no answer, no stored outcome and no callback; with room again, it goes on with what it missed', async () => {
    const path = join(disk.folder, 'log')
    const { child, url } = await serveLoggingTo(path)
    try {
      disk.fill(child.pid)
      // The room of the last page that the log began.
      while ((await installation.send(url, crypto.randomUUID())).status === 502) {
        if (readFileSync(path).length % 4_096 === 0) break
      }
      expect(await installation.send(url, 'missed')).toMatchObject({ status: 502, error: 'CHANNEL_GRAPH_ERROR' })
      rmSync(join(disk.folder, 'filler'))
      expect(await installation.send(url, 'seen')).toMatchObject({ status: 502 })
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
      const sent = installation.sent.length
      expect(lines.filter(line => JSON.parse(line).msg.includes('action needed'))).toHaveLength(sent)
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  })
})
