import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { ChannelClient } from '../../src/channel/client.ts'
import { createMediaUploader, type MediaOrder, type Upload } from '../../src/channel/mediaUpload.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { type Files, files, guardOf, loopback, startFiles } from './files.ts'

/** Ten videos of 16 MB; an image may have 5 MB. */
const imagesAtOnce = 32

let server: Files
let upload: (order: MediaOrder) => Promise<Upload>
/** Requests that the server holds, in the order they came. */
let held: ((answer: Response) => void)[]

beforeEach(() => {
  held = []
  server = startFiles(() => new Promise<Response>(resolve => held.push(resolve)))
  const client: Pick<ChannelClient, 'uploadMedia'> = {
    uploadMedia: async ({ mime }) => ({ kind: 'uploaded', mediaId: mime }),
  }
  const { guard } = guardOf(loopback)
  upload = createMediaUploader({ client: client as ChannelClient, guard, clock: new ManualClock() })
})
afterEach(() => server.stop())

const place = (format: MediaOrder['format'] = 'image') =>
  upload({ channelId: 'chan_1', upstreamPhoneId: '1', accessToken: 'token', link: `${server.url}/a`, format })

/** Answers the request that came as the nth, once it has come. */
async function answer(nth: number, response: Response) {
  await eventually(() => expect(held.length).toBeGreaterThan(nth))
  held[nth]?.(response)
}

test('files are fetched side by side as long as they fit into memory; the others wait for their turn', async () => {
  const uploads = Array.from({ length: imagesAtOnce + 2 }, () => place())
  await eventually(() => expect(held).toHaveLength(imagesAtOnce))
  await answer(0, new Response(files.png))
  await eventually(() => expect(held).toHaveLength(imagesAtOnce + 1))
  for (let nth = 1; nth < uploads.length; nth += 1) await answer(nth, new Response(files.png))
  expect(await Promise.all(uploads)).toEqual(uploads.map(() => ({ kind: 'uploaded', mediaId: 'image/png' })))
})

test('a file that cannot be had makes room like any other', async () => {
  const failing = Array.from({ length: imagesAtOnce }, () => place())
  await eventually(() => expect(held).toHaveLength(imagesAtOnce))
  const next = place()
  for (let nth = 0; nth < imagesAtOnce; nth += 1) await answer(nth, new Response(null, { status: 404 }))
  expect(await Promise.all(failing)).toEqual(failing.map(() => ({ kind: 'unavailable', why: 'answered HTTP 404' })))
  await answer(imagesAtOnce, new Response(files.png))
  expect(await next).toMatchObject({ kind: 'uploaded' })
})
