import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/base/clock.ts'
import { sha256 } from '../../../src/base/crypto.ts'
import { dayMs, minuteMs } from '../../../src/base/durations.ts'
import { newId } from '../../../src/base/ids.ts'
import { FileKeeper } from '../../../src/media/incoming/keeper.ts'
import { forgetContact } from '../../../src/operations/erasure.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { Metrics } from '../../../src/telemetry/metrics.ts'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { userWrites } from '../../partner/inboundMessages.ts'
import { startUpstream } from '../../upstream.ts'
import { base64Hash, getMedia, keepFiles, lastMedia, noSuchFile, picture, userSends } from './user.ts'

let clock: ManualClock
let gateway: TestGateway
beforeEach(async () => {
  clock = new ManualClock(Date.now())
  gateway = await startTestGateway({ clock })
})
afterEach(() => gateway.stop())

/** The files that the gateway has. */
const kept = () => {
  try {
    return readdirSync(join(gateway.dataDir, 'media'))
  } catch {
    return []
  }
}
/** Files that were asked for, with the token that was sent along. */
const asked = () =>
  gateway.upstream.received
    .filter(({ method }) => method === 'GET')
    .map(({ path, headers }) => [path, headers.get('authorization')])

async function later(ms: number) {
  clock.advance(ms)
  await keepFiles(gateway)
}

describe('a file that a user sent', () => {
  test('is told at once, stored soon after, and served to every key of the workspace', async () => {
    const bytes = picture()
    const { id, path } = await userSends(gateway, { bytes, fields: { caption: 'Look' } })
    const pending = await lastMedia(gateway)
    expect(pending).toEqual({
      id: expect.stringMatching(/^media_/),
      state: 'pending',
      mimeType: 'image/png',
      size: null,
      fileName: null,
    })
    const early = await getMedia(gateway, pending.id)
    expect([early.status, await early.json()]).toMatchObject([
      404,
      { error: 'NOT_FOUND', details: { state: 'pending' } },
    ])

    await keepFiles(gateway)
    expect(await lastMedia(gateway)).toEqual({ ...pending, state: 'stored', size: bytes.length })
    expect(asked()).toEqual([
      [`/v25.0/${id}`, 'Bearer access-token'],
      [path, 'Bearer access-token'],
    ])
    const { events } = { events: (await gateway.get('/api/v1/public/events')).json.data }
    expect(events.at(-1)).toMatchObject({ type: 'message.received', data: { inbound: { media: { state: 'stored' } } } })

    const got = await getMedia({ ...gateway, key: await gateway.createKey() }, pending.id)
    expect(got.status).toBe(200)
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${pending.id}.png"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
    })
    expect(sha256(await got.bytes())).toBe(sha256(bytes))
    // Nobody else on the machine may read what users wrote.
    const folder = join(gateway.dataDir, 'media')
    expect(kept()).toEqual([pending.id])
    expect([statSync(folder).mode & 0o777, statSync(join(folder, pending.id)).mode & 0o777]).toEqual([0o700, 0o600])
    // Only once.
    await later(dayMs)
    expect(asked()).toHaveLength(2)
  })

  test('is served in parts', async () => {
    const bytes = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')
    await userSends(gateway, { bytes })
    await keepFiles(gateway)
    const { id } = await lastMedia(gateway)
    const part = async (range: string) => {
      const response = await getMedia(gateway, id, { range })
      const { headers, status } = response
      return [status, headers.get('content-range'), headers.get('content-length'), await response.text()]
    }
    expect(await part('bytes=9-11')).toEqual([206, 'bytes 9-11/18', '3', 'and'])
    expect(await part('bytes=-2')).toEqual([206, 'bytes 16-17/18', '2', 'on'])
    const behind = await part('bytes=18-')
    expect(behind.slice(0, 2)).toEqual([416, 'bytes */18'])
    expect(JSON.parse(String(behind[3]))).toMatchObject({ error: 'RANGE_NOT_SATISFIABLE', details: { size: 18 } })
  })

  test('keeps the name of a document, made safe, and is no page for a browser', async () => {
    const bytes = Buffer.from('<html><script>alert(1)</script>')
    const fields = { filename: '../../Rechnung „Mai".html', mime_type: 'text/html' }
    await userSends(gateway, { bytes, type: 'document', fields })
    await keepFiles(gateway)
    const media = await lastMedia(gateway)
    expect(media).toMatchObject({ mimeType: 'application/octet-stream', fileName: '.._.._Rechnung „Mai".html' })
    const { headers } = await getMedia(gateway, media.id)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="_.._Rechnung _Mai_.html"; filename*=UTF-8''_.._Rechnung%20%E2%80%9EMai_.html`,
    )
    expect(kept()).toEqual([media.id])
  })

  test('is unknown to another workspace, byte for byte as one that does not exist', async () => {
    await userSends(gateway)
    await keepFiles(gateway)
    const { id } = await lastMedia(gateway)
    const stranger = { ...gateway, key: (await gateway.addWorkspace()).key }
    const [theirs, none] = await Promise.all([id, newId('media')].map(media => getMedia(stranger, media)))
    expect(theirs?.status).toBe(404)
    expect(await theirs?.text()).toBe(String(await none?.text()))
  })

  test('of a message that became another one is stored too', async () => {
    const { id } = await userSends(gateway)
    const message = { type: 'image', image: { id, mime_type: 'image/png', caption: 'Monday' } }
    await userWrites(gateway, gateway, { type: 'edit', edit: { original_message_id: 'wamid.0', message } })
    await keepFiles(gateway)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'stored', mimeType: 'image/png' })
  })

  test('of a message that brings none, and of an id that is no id, is null', async () => {
    await userWrites(gateway, gateway, { type: 'image', image: { id: '../../me', mime_type: 'image/png' } })
    expect(await lastMedia(gateway)).toBeNull()
    await userWrites(gateway, gateway, {})
    expect(await lastMedia(gateway)).toBeNull()
    await keepFiles(gateway)
    expect(asked()).toEqual([])
  })
})

describe('a file that cannot be had', () => {
  test('with a hash in hexadecimal is checked as well', async () => {
    const bytes = picture()
    await userSends(gateway, { bytes, fields: { sha256: sha256(bytes).toUpperCase() } })
    await keepFiles(gateway)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'stored' })
  })

  test('with other bytes than the upstream says is asked for three times, then it has failed', async () => {
    const { path } = await userSends(gateway, { fields: { sha256: base64Hash(Buffer.from('other')) } })
    await keepFiles(gateway)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'pending' })
    await later(minuteMs)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'pending' })
    await later(minuteMs)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'failed', size: null })
    expect(asked().filter(([at]) => at === path)).toHaveLength(3)
    expect(kept()).toEqual([])
  })

  test('is asked for at a new address when the address is not good any more', async () => {
    let addresses = 0
    const { path } = await userSends(gateway, {
      describe: () => {
        addresses += 1
        return addresses === 1 ? { url: `${gateway.upstream.url}/gone` } : {}
      },
    })
    const { answer } = gateway.upstream
    gateway.upstream.answer = request =>
      request.path === '/gone' ? new Response('expired', { status: 404 }) : answer(request)
    await keepFiles(gateway)
    await later(10_000)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'stored' })
    expect(
      asked()
        .map(([at]) => at)
        .slice(-3),
    ).toEqual(['/gone', expect.any(String), path])
  })

  test('that the upstream does not know has failed at once', async () => {
    const { id } = await userSends(gateway, { describe: () => noSuchFile('70001') })
    await keepFiles(gateway)
    const media = await lastMedia(gateway)
    expect(media).toMatchObject({ state: 'failed' })
    expect(asked()).toHaveLength(1)
    expect(asked()[0]?.[0]).toBe(`/v25.0/${id}`)
    const response = await getMedia(gateway, media.id)
    expect([response.status, await response.json()]).toMatchObject([404, { details: { state: 'failed' } }])
  })

  test('that the upstream says is larger than 100 MB has failed', async () => {
    const { path } = await userSends(gateway, { describe: () => ({ file_size: 100 * 1_048_576 + 1 }) })
    await keepFiles(gateway)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'failed' })
    expect(asked().map(([at]) => at)).not.toContain(path)
  })

  test('is tried again for seven days, ever more seldom, and then it is expired', async () => {
    await userSends(gateway, { describe: () => new Response('down', { status: 503 }) })
    const tries = () => asked().length
    await keepFiles(gateway)
    const start = clock.now()
    const at: number[] = []
    while (clock.now() - start < 7 * dayMs) {
      const before = tries()
      // In steps that show the first times.
      await later((at.length < 6 ? 5 : 60) * minuteMs)
      if (tries() > before) at.push(Math.round((clock.now() - start) / minuteMs))
    }
    expect(at.slice(0, 6)).toEqual([5, 10, 15, 30, 75, 250])
    expect(at.length).toBeLessThan(40)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'pending' })
    await later(6 * 60 * minuteMs)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'expired' })
  })

  test('at an address of another host does not get the token', async () => {
    const foreign = startUpstream(() => new Response('ours'))
    try {
      // The address in the callback is not used at all.
      await userSends(gateway, {
        fields: { url: `${foreign.url}/callback` },
        describe: () => ({ url: `${foreign.url}/described` }),
      })
      await keepFiles(gateway)
      expect(foreign.received).toEqual([])
      expect(await lastMedia(gateway)).toMatchObject({ state: 'pending' })
    } finally {
      await foreign.stop()
    }
  })

  test('for a token that cannot be opened holds up no other workspace', async () => {
    const { store } = gateway.gateway
    const other = await gateway.addWorkspace()
    const broken = {
      channelId: gateway.channelId,
      secret: 'accessToken',
      sealed: 'v1.broken',
      at: clock.now(),
    } as const
    await userSends(gateway)
    await store.write.replaceSecret(broken)
    await userSends({ ...gateway, ...other })
    await keepFiles(gateway)
    expect(await lastMedia(gateway)).toMatchObject({ state: 'pending' })
    const get = (path: string) => gateway.get(path, other.key)
    expect(await lastMedia({ ...gateway, get })).toMatchObject({ state: 'stored' })
  })

  test('holds up neither callbacks, nor sends, nor other files', async () => {
    const gate = Promise.withResolvers<void>()
    await userSends(gateway, {
      download: () => new Response(new ReadableStream({ pull: stream => gate.promise.then(() => stream.close()) })),
    })
    const run = keepFiles(gateway)
    await userSends(gateway)
    expect((await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })).status).toBe(201)
    await eventually(async () => expect(await lastMedia(gateway)).toMatchObject({ state: 'stored' }))
    gate.resolve()
    await run
    const { json } = await gateway.get('/api/v1/public/inbound')
    expect(json.data[0].media).toMatchObject({ state: 'pending' })
  })
})

describe('what is kept', () => {
  async function withRoomFor(room: string) {
    await gateway.stop()
    gateway = await startTestGateway({ clock, env: { MEDIA_STORAGE_MAX: room } })
  }
  const states = async () => {
    const { json } = await gateway.get('/api/v1/public/inbound?limit=100')
    return json.data.map(({ media }: { media: { state: string } | null }) => media?.state ?? null)
  }

  test('is bounded: the oldest go first', async () => {
    await withRoomFor('1 MB')
    for (let file = 0; file < 4; file += 1) {
      await userSends(gateway, { bytes: picture(400_000) })
      await later(1_000)
    }
    expect(await states()).toEqual(['expired', 'expired', 'stored', 'stored'])
    await keepFiles(gateway)
    expect(kept()).toHaveLength(2)
  })

  test('has no file that is larger than all the room, however long the upstream says it is', async () => {
    await withRoomFor('1 MB')
    const bytes = picture(1_048_577)
    await userSends(gateway, { bytes })
    // Without a length.
    await userSends(gateway, { bytes, download: () => new Response(new Blob([bytes]).stream()) })
    await userSends(gateway)
    await keepFiles(gateway)
    expect(await states()).toEqual(['failed', 'failed', 'stored'])
  })

  test('is nothing without room', async () => {
    await withRoomFor('0')
    await userSends(gateway)
    await keepFiles(gateway)
    expect(await states()).toEqual(['expired'])
    expect(asked()).toEqual([])
  })

  test('is kept for MEDIA_RETENTION_DAYS', async () => {
    await userSends(gateway)
    await keepFiles(gateway)
    clock.advance(30 * dayMs - minuteMs)
    await gateway.gateway.jobs.trigger('prune')
    expect(await states()).toEqual(['stored'])
    clock.advance(2 * minuteMs)
    await gateway.gateway.jobs.trigger('prune')
    expect(await states()).toEqual(['expired'])
    await keepFiles(gateway)
    expect(kept()).toEqual([])
    const { id } = await lastMedia(gateway)
    expect(await (await getMedia(gateway, id)).json()).toMatchObject({ details: { state: 'expired' } })
  })

  test('goes when its contact is erased, its workspace removed, its channel disconnected, its message pruned', async () => {
    const { store } = gateway.gateway
    const other = await gateway.addWorkspace()
    const send = async (to: Pick<typeof other, 'channelId' | 'line' | 'key'>) => {
      await userSends({ ...gateway, ...to })
      await keepFiles(gateway)
      return (await lastMedia({ ...gateway, get: path => gateway.get(path, to.key) })).id as string
    }
    const gone = async (id: string, key = gateway.key) => {
      expect(kept()).toContain(id)
      await keepFiles(gateway)
      expect(kept()).not.toContain(id)
      return (await getMedia({ ...gateway, key }, id)).status
    }

    const forgotten = await send(gateway)
    const { json } = await gateway.get('/api/v1/public/inbound')
    const contact = await store.read.contactById(json.data[0].contactId)
    if (!contact) throw new Error('no contact')
    await forgetContact({ ...store, workspaceId: null }, contact.id)
    expect(await lastMedia(gateway)).toBeNull()
    expect(await gone(forgotten)).toBe(404)
    expect(await store.read.dueFiles({ at: clock.now() + 365 * dayMs, except: [], limit: 10 })).toEqual([])

    const disconnected = await send(gateway)
    await store.write.disconnectChannel({ channelId: gateway.channelId, at: clock.now() })
    await gateway.gateway.jobs.trigger('prune')
    expect(await gone(disconnected)).toBe(404)

    const removed = await send(other)
    const form = new FormData()
    form.append('file', new Blob([picture()]), 'given.png')
    const headers = { apikey: other.key.apiKey, apisecret: other.key.apiSecret }
    const upload = await fetch(`${gateway.url}/api/v1/public/media`, { method: 'POST', headers, body: form })
    const given = ((await upload.json()) as { data: { id: string } }).data.id
    expect(kept()).toContain(given)
    await store.write.closeWorkspace({ workspaceId: other.workspaceId, at: clock.now() })
    for (let isDone = false; !isDone; )
      isDone = (await store.write.eraseWorkspace({ workspaceId: other.workspaceId, limit: 1, at: clock.now() })).isDone
    await gone(removed)
    expect(kept()).not.toContain(given)
    expect(await store.read.wantedFiles([removed, given])).toEqual([])

    await gateway.stop()
    gateway = await startTestGateway({ clock, env: { MESSAGE_RETENTION_DAYS: '3' } })
    const pruned = await send(gateway)
    clock.advance(4 * dayMs)
    await gateway.gateway.jobs.trigger('prune')
    expect(await gone(pruned)).toBe(404)
    expect((await gateway.get('/api/v1/public/inbound')).json.data).toEqual([])
  })
})

describe('erased while it is fetched', () => {
  test('a file does not stay', async () => {
    const gate = Promise.withResolvers<void>()
    const bytes = picture()
    await userSends(gateway, {
      bytes,
      download: () =>
        new Response(
          new ReadableStream({
            async pull(stream) {
              await gate.promise
              stream.enqueue(bytes)
              stream.close()
            },
          }),
        ),
    })
    const run = keepFiles(gateway)
    await eventually(() => expect(kept()).toEqual([expect.stringContaining('.partial')]))
    const { json } = await gateway.get('/api/v1/public/inbound')
    const contact = await gateway.gateway.store.read.contactById(json.data[0].contactId)
    if (!contact) throw new Error('no contact')
    await forgetContact({ ...gateway.gateway.store, workspaceId: null }, contact.id)
    gate.resolve()
    await run
    expect(kept()).toEqual([])
  })
})

describe('after a crash', () => {
  test('nothing is lost, and nothing stays in the folder that no message has', async () => {
    await userSends(gateway)
    const { id } = await lastMedia(gateway)
    const folder = join(gateway.dataDir, 'media')
    mkdirSync(folder)
    // Killed while it wrote; and after the file was whole, before this was stored.
    writeFileSync(join(folder, `${id}.0b1e.partial`), 'half')
    writeFileSync(join(folder, id), picture())
    // Of a database that was replaced by an older backup; and of somebody else.
    const unknown = newId('media')
    writeFileSync(join(folder, unknown), 'of no message')
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const { upstream, dataDir } = gateway
    await gateway.gateway.stop()
    const again = await startTestGateway({ clock, upstream, dataDir })
    try {
      await eventually(() => expect(kept().toSorted()).toEqual([id, 'notes.txt']))
      expect(await again.gateway.store.read.wantedFiles([id, unknown])).toEqual([id])
      await keepFiles(again)
      expect(await again.gateway.store.read.file({ workspaceId: gateway.workspaceId, fileId: id })).toMatchObject({
        state: 'stored',
      })
    } finally {
      await again.gateway.stop()
    }
  })

  test('nor what a database leaves that fails while files are fetched', async () => {
    const bytes = picture()
    const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
    async function* pieces() {
      yield bytes.subarray(0, 500)
      await failed
      // Longer than the end of a thread waits.
      await Bun.sleep(500)
      yield bytes.subarray(500)
    }
    await userSends(gateway, { bytes, download: () => new Response(pieces()) })
    const { store } = gateway.gateway
    let looks = 0
    const dueFiles: typeof store.read.dueFiles = query => {
      looks += 1
      if (looks < 2) return store.read.dueFiles(query)
      fail()
      return Promise.reject(new Error('the database is restarted'))
    }
    const keeper = new FileKeeper({
      store: { write: store.write, shared: null, read: { ...store.read, dueFiles } },
      credentials: { open: () => 'access-token' },
      clock,
      watch: systemClock,
      log: silentLogger,
      metrics: new Metrics(),
      options: {
        ...{ apiUrl: gateway.upstream.url, apiVersion: 'v25.0', timeoutMs: 10_000 },
        storage: { folder: join(gateway.dataDir, 'media'), bucket: null },
      },
      storageBytesMax: 1_000_000,
    })
    await expect(keeper.run()).rejects.toThrow('the database is restarted')
    expect(kept()).toEqual([(await lastMedia(gateway)).id])
    await keeper.stop()
  })
})
