import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { ChannelClient } from '../../../src/graph/client.ts'
import { createMediaUploader, type MediaOrder, type Upload } from '../../../src/media/outgoing/upload.ts'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { type Files, files, guardOf, loopback, startFiles } from './files.ts'

const mib = 1_048_576

let server: Files
let clock: ManualClock
let upload: (order: MediaOrder) => Promise<Upload>
/** Uploads wait for it. */
let upstream: Promise<void>
let uploading: number
/** What opens a file that is held back, by its path. */
let held: Map<string, () => void>

beforeEach(() => {
  held = new Map()
  upstream = Promise.resolve()
  uploading = 0
  server = startFiles(answer)
  clock = new ManualClock()
  const client: Pick<ChannelClient, 'uploadMedia'> = {
    async uploadMedia({ mime }) {
      uploading += 1
      await upstream
      return { kind: 'uploaded', mediaId: mime }
    },
  }
  const { guard } = guardOf(loopback)
  upload = createMediaUploader({ client: client as ChannelClient, storage: { open: async () => null }, guard, clock })
})
afterEach(() => server.stop())

/** `/dead/…` answers nothing, `/late/…` nothing before it is opened, `/held/…` the head of the file until then. */
function answer(path: string): Response | Promise<Response> {
  const [, kind = '', file = ''] = path.split('/')
  const bytes = contents[file as keyof typeof contents]
  switch (kind) {
    case 'dead':
      return new Promise(() => {})
    case 'late':
      return new Promise(resolve => held.set(path, () => resolve(new Response(bytes))))
    case 'held':
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(bytes.slice(0, 16))
            held.set(path, () => {
              controller.enqueue(bytes.slice(16))
              controller.close()
            })
          },
        }),
      )
    default:
      return new Response(bytes)
  }
}

function sized(head: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(bytes)
  file.set(head)
  return file
}
const contents = {
  image: sized(files.png, 100),
  video: sized(files.mp4, 100),
  document: sized(files.pdf, 100),
  largeDocument: sized(files.pdf, 100 * mib),
}

const place = (path: string, format: MediaOrder['format'], channelId = 'chan_1') =>
  upload({
    channelId,
    upstreamPhoneId: '1',
    accessToken: 'token',
    source: { kind: 'link', link: `${server.url}/${path}` },
    format,
  })

const places = (count: number, path: string, format: MediaOrder['format'], channelId?: string) =>
  Array.from({ length: count }, (_, nth) => place(`${path}/${nth}`, format, channelId))
const hasCome = (count: number) => eventually(() => expect(server.requests).toHaveLength(count))

test('links that answer nothing hold back nobody: neither another channel nor the good links of their own', async () => {
  void places(60, 'dead/video', 'video')
  await hasCome(60)
  for (const channelId of ['chan_1', 'chan_2']) {
    for (const format of ['image', 'document'] as const) {
      expect(await place(`good/${format}`, format, channelId)).toMatchObject({ kind: 'uploaded' })
    }
  }
})

test('small documents of one channel are fetched side by side, and uploaded side by side', async () => {
  const gate = Promise.withResolvers<void>()
  upstream = gate.promise
  const uploads = places(20, 'good/document', 'document')
  await eventually(() => expect(uploading).toBe(20))
  gate.resolve()
  expect(new Set((await Promise.all(uploads)).map(({ kind }) => kind))).toEqual(new Set(['uploaded']))
})

test("a channel's files that never end take no more than its share of the memory: another's largest file has room", async () => {
  void places(30, 'held/video', 'video')
  await eventually(() => expect(held.size).toBe(30))
  expect(await place('good/largeDocument', 'document', 'chan_2')).toMatchObject({ kind: 'uploaded' })
})

test("more files than fit into a channel's share are all uploaded in the end", async () => {
  const uploads = places(30, 'held/video', 'video')
  await eventually(() => expect(held.size).toBe(30))
  for (const open of held.values()) open()
  expect(new Set((await Promise.all(uploads)).map(({ kind }) => kind))).toEqual(new Set(['uploaded']))
  expect(clock.pending).toBe(0)
})

describe('while the largest document of a channel is being uploaded, an image of it', () => {
  let gate: PromiseWithResolvers<void>
  let large: Promise<Upload>
  let image: Promise<Upload>
  beforeEach(async () => {
    gate = Promise.withResolvers()
    upstream = gate.promise
    large = place('good/largeDocument', 'document')
    await eventually(() => expect(uploading).toBe(1))
    image = place('late/image', 'image')
    await eventually(() => expect(held.size).toBe(1))
    clock.advance(10_000)
    held.get('/late/image')?.()
    // It waits for memory from now on; had it not answered, it would be given up in 10 seconds.
    await eventually(() => expect(clock.nextDue).toBe(clock.steady() + 20_000))
  })

  test('waits for memory, which its link is not blamed for', async () => {
    clock.advance(19_999)
    gate.resolve()
    expect(await Promise.all([large, image])).toMatchObject([{ kind: 'uploaded' }, { kind: 'uploaded' }])
    expect(clock.pending).toBe(0)
  })

  test('is told that there was none after 20 seconds, and holds nothing', async () => {
    clock.advance(20_000)
    expect(await image).toEqual({ kind: 'busy' })
    gate.resolve()
    expect(await large).toMatchObject({ kind: 'uploaded' })
    expect(await place('good/largeDocument', 'document')).toMatchObject({ kind: 'uploaded' })
  })
})

test('more links of one channel than it may have open wait for 20 seconds, and another channel goes on', async () => {
  const dead = places(64, 'dead/video', 'video')
  await hasCome(64)
  const next = place('good/image', 'image')
  expect(await place('good/image', 'image', 'chan_2')).toMatchObject({ kind: 'uploaded' })
  clock.advance(20_000)
  expect((await Promise.all(dead)).every(({ kind }) => kind === 'unavailable')).toBe(true)
  expect(await next).toEqual({ kind: 'busy' })
})

test('a document whose length is not told may have the full 100 MB', async () => {
  const uploaded = place('held/largeDocument', 'document')
  await eventually(() => expect(held.size).toBe(1))
  held.get('/held/largeDocument')?.()
  expect(await uploaded).toMatchObject({ kind: 'uploaded' })
})

test('a file that cannot be had makes room like any other', async () => {
  const failing = places(30, 'held/image', 'video')
  expect(await Promise.all(failing)).toEqual(
    failing.map(() => ({ kind: 'unavailable', why: 'is not an MP4 or 3GPP video: it is image/png' })),
  )
  expect(await place('good/largeDocument', 'document')).toMatchObject({ kind: 'uploaded' })
})

test('all channels together hold no more than two of the largest files, and the next one waits', async () => {
  const gate = Promise.withResolvers<void>()
  upstream = gate.promise
  const large = ['chan_1', 'chan_2'].map(channelId => place('good/largeDocument', 'document', channelId))
  await eventually(() => expect(uploading).toBe(2))
  const third = place('good/largeDocument', 'document', 'chan_3')
  await eventually(() => expect(server.requests).toHaveLength(3))
  // It waits for memory from now on, and for nothing else.
  await eventually(() => expect(clock.nextDue).toBe(clock.steady() + 20_000))
  expect(uploading).toBe(2)
  gate.resolve()
  expect(new Set((await Promise.all([...large, third])).map(({ kind }) => kind))).toEqual(new Set(['uploaded']))
  expect(uploading).toBe(3)
  expect(clock.pending).toBe(0)
})

test('a channel that waits for its own share takes nothing from what is left for the others', async () => {
  void places(30, 'held/video', 'video', 'chan_1')
  await eventually(() => expect(held.size).toBe(30))
  const small = ['chan_2', 'chan_3', 'chan_4'].map(channelId => place('good/image', 'image', channelId))
  expect(await Promise.all(small)).toMatchObject([{ kind: 'uploaded' }, { kind: 'uploaded' }, { kind: 'uploaded' }])
})
