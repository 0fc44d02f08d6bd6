import { describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../src/base/errors.ts'
import { type Bucket, openBucket } from '../../src/bucket/bucket.ts'
import { answerMsMax, silenceMsMax, storedMsMax } from '../../src/bucket/client.ts'
import type { BucketSettings } from '../../src/config/bucket.ts'
import { ObjectStore, refusal } from '../backup/objectStore.ts'
import { ManualClock } from '../clock.ts'
import { makeFolder } from '../db/fixtures.ts'
import { freshFixture } from '../fixture.ts'
import { DeadStore } from './deadStore.ts'

const folder = freshFixture(() => makeFolder())
const megabyte = 1_048_576

const settingsOf = (endpoint: string): BucketSettings => ({
  endpoint,
  bucket: 'acme',
  prefix: 'one/',
  region: 'eu-central-1',
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'a-secret-that-nobody-may-see',
  secretAccessKeyFile: null,
  secretName: 'BACKUP_S3_SECRET_ACCESS_KEY',
})

/** A file of the test's folder. */
function fileOf(bytes: number): string {
  const path = join(folder.path, 'file')
  writeFileSync(path, new Uint8Array(bytes))
  return path
}

/** What becomes of a call; null while nothing has. */
function watch(call: Promise<unknown>) {
  const watched = { outcome: null as string | null, ended: Promise.resolve() }
  const note = (outcome: string) => {
    watched.outcome = outcome
  }
  watched.ended = call.then(
    () => note('done'),
    error => note(messageOf(error)),
  )
  return watched
}

/** Microtasks and events of the loop that were due. */
const turn = () => new Promise(resolve => setImmediate(resolve))

describe('a store that accepts and never answers', () => {
  const calls: readonly [what: string, call: (bucket: Bucket) => Promise<unknown>, limitMs: number][] = [
    ['list', bucket => bucket.list(), answerMsMax],
    ['list, with a limit of its own', bucket => bucket.list(2_000), 2_000],
    ['remove', bucket => bucket.remove('a'), answerMsMax],
    ['has', bucket => bucket.has('a', 1), answerMsMax],
    ['stream', bucket => bucket.stream('a', 0, 10), answerMsMax],
    ['download', bucket => bucket.download('a', join(folder.path, 'to')), answerMsMax],
    ['put, of a small file', bucket => bucket.put('a', fileOf(1), 'text/plain'), storedMsMax],
    ['put, of one that goes in parts', bucket => bucket.put('a', fileOf(17 * megabyte), 'text/plain'), answerMsMax],
  ]
  test.each(calls)('%s is given up, and its connection with it', async (_, call, limitMs) => {
    const clock = new ManualClock()
    const store = await DeadStore.open()
    try {
      const watched = watch(call(openBucket(settingsOf(store.url), clock)))
      await store.until(({ asked }) => asked === 1)
      await turn()
      clock.advance(limitMs - 1)
      await turn()
      expect([watched.outcome, store.open]).toEqual([null, 1])
      clock.advance(1)
      await watched.ended
      expect(watched.outcome).toMatch(/cannot be .*no answer.*http:\/\/127\.0\.0\.1/)
      expect(watched.outcome).not.toContain('a-secret')
      await store.until(({ open }) => open === 0)
      expect(clock.pending).toBe(0)
    } finally {
      store.stop()
    }
  })
})

describe('a store that stops in the middle', () => {
  test('of an upload: silence ends it, and its connection', async () => {
    const clock = new ManualClock()
    const store = await DeadStore.open(socket => socket.pause())
    try {
      const watched = watch(openBucket(settingsOf(store.url), clock).put('a', fileOf(16 * megabyte), 'text/plain'))
      await store.until(({ asked }) => asked === 1)
      // What the buffers of the system still take counts as moved.
      for (; watched.outcome === null; await turn()) clock.advance(silenceMsMax)
      expect(watched.outcome).toContain(`no byte could be sent for ${silenceMsMax / 1_000} seconds`)
      expect(clock.pending).toBe(0)
    } finally {
      store.stop()
    }
  })

  test('not of an upload whose bytes move, however long it takes', async () => {
    const clock = new ManualClock()
    // The time of more than one limit passes, but never without a byte.
    const store = await DeadStore.open()
    try {
      const watched = watch(openBucket(settingsOf(store.url), clock).put('a', fileOf(16 * megabyte), 'text/plain'))
      for (const read of [8, 16]) {
        await store.until(({ bytes }) => bytes >= read * megabyte)
        clock.advance((silenceMsMax * 2) / 3)
        await turn()
        expect(watched.outcome).toBeNull()
      }
      clock.advance(storedMsMax)
      await watched.ended
      expect(watched.outcome).toContain('no answer came')
    } finally {
      store.stop()
    }
  })

  test('of a download: what is read fails, and a slow reader is no silence', async () => {
    const clock = new ManualClock()
    const store = await DeadStore.open(socket => {
      socket.write(`HTTP/1.1 206 Partial Content\r\ncontent-length: 10\r\n\r\n12345`)
    })
    try {
      const reader = (await openBucket(settingsOf(store.url), clock).stream('a', 0, 10)).getReader()
      // Nobody reads: what has come waits.
      await turn()
      clock.advance(10 * silenceMsMax)
      expect((await reader.read()).value).toEqual(new TextEncoder().encode('12345'))
      const rest = watch(reader.read())
      await turn()
      clock.advance(silenceMsMax)
      await rest.ended
      expect(rest.outcome).toContain(`nothing came for ${silenceMsMax / 1_000} seconds`)
      await store.until(({ open }) => open === 0)
      expect(clock.pending).toBe(0)
    } finally {
      store.stop()
    }
  })

  test('of a download that nobody wants any more: its connection ends', async () => {
    const store = await DeadStore.open(socket => {
      socket.write(`HTTP/1.1 206 Partial Content\r\ncontent-length: 10\r\n\r\n12345`)
    })
    try {
      const stream = await openBucket(settingsOf(store.url), new ManualClock()).stream('a', 0, 10)
      await stream.cancel()
      await store.until(({ open }) => open === 0)
    } finally {
      store.stop()
    }
  })
})

test('what was uploaded in parts is downloaded byte for byte, under a name with any characters', async () => {
  const account = { bucket: 'acme', region: 'eu-central-1', accessKeyId: 'AKIAEXAMPLE' }
  const store = new ObjectStore({ ...account, secretAccessKey: 'a-secret-that-nobody-may-see' })
  try {
    const bucket = openBucket(settingsOf(store.url))
    const [path, to] = [fileOf(0), join(folder.path, 'to')]
    const bytes = new Uint8Array(17 * megabyte + 3).map((_, at) => (at * 7) % 251)
    writeFileSync(path, bytes)
    await bucket.put("ä b(1)'.db", path, 'text/plain')
    expect([await bucket.list(), store.openUploads.size]).toEqual([["ä b(1)'.db"], 0])
    await bucket.download("ä b(1)'.db", to)
    expect([statSync(to).mode & 0o777, Bun.hash(readFileSync(to))]).toEqual([0o600, Bun.hash(bytes)])
  } finally {
    await store.stop()
  }
})

describe('what a store answers', () => {
  async function asked(
    answer: (request: Request) => Response | Promise<Response>,
    call: (bucket: Bucket) => Promise<unknown>,
  ) {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
    try {
      return await call(openBucket(settingsOf(`http://127.0.0.1:${server.port}`))).catch(messageOf)
    } finally {
      await server.stop(true)
    }
  }

  test('names with characters that XML writes otherwise are read as they are', async () => {
    const body = '<ListBucketResult><Contents><Key>one/a&amp;b&#x20AC;&#39;.db</Key></Contents></ListBucketResult>'
    expect(
      await asked(
        () => new Response(body),
        bucket => bucket.list(),
      ),
    ).toEqual(["a&b€'.db"])
  })

  test('parts that could not be put together fail, although the answer began with 200', async () => {
    const requests: string[] = []
    const said = await asked(
      async request => {
        await request.bytes()
        const { search } = new URL(request.url)
        requests.push(`${request.method} ${search}`)
        if (search === '?uploads=') return new Response('<R><UploadId>u1</UploadId></R>')
        if (request.method === 'PUT') return new Response(null, { headers: { etag: '"e"' } })
        if (request.method === 'POST') return new Response('<Error><Code>InternalError</Code></Error>')
        return new Response(null, { status: 204 })
      },
      bucket => bucket.put('a', fileOf(17 * megabyte), 'text/plain'),
    )
    expect(said).toContain('InternalError')
    expect(requests.at(-1)).toBe('DELETE ?uploadId=u1')
  })

  test('a store that does not know ranges sends no wrong bytes', async () => {
    expect(
      await asked(
        () => new Response('0123456789'),
        bucket => bucket.stream('a', 1, 4),
      ),
    ).toContain('HTTP 200')
    expect(
      await asked(
        () => refusal(403, 'AccessDenied'),
        bucket => bucket.stream('a', 1, 4),
      ),
    ).toContain('AccessDenied')
  })
})
