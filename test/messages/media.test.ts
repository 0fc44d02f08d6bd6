import { expect, test } from 'bun:test'
import type { Store } from '../../db/store.ts'
import type { MediaOrder, Upload } from '../../src/channel/mediaUpload.ts'
import type { SenderVerbs } from '../../src/channel/sender.ts'
import { silentLogger } from '../../src/log.ts'
import { MediaLibrary } from '../../src/messages/media.ts'
import { ManualClock } from '../clock.ts'
import { line } from '../db/fixtures.ts'

const link = 'https://cdn.example/1'

/** A library that knows no file yet, with uploads that end when the test says so. */
function emptyLibrary() {
  const orders: { readonly order: MediaOrder; end(upload: Upload): void }[] = []
  const uploadMedia = (order: MediaOrder) =>
    new Promise<Upload>(resolve => {
      orders.push({ order, end: resolve })
    })
  const sender: Pick<SenderVerbs, 'uploadMedia'> = { uploadMedia }
  const store = { read: { media: async () => null }, write: { rememberMedia: async () => null } }
  const library = new MediaLibrary({
    store: store as unknown as Store,
    senderFor: () => sender as SenderVerbs,
    clock: new ManualClock(),
    log: silentLogger,
  })
  return { library, orders }
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

test('uploads that are under way are shared by line, link and format, and by nothing less: an id belongs to its line', async () => {
  const { library, orders } = emptyLibrary()
  const second = line({ id: 'line_2', channelId: 'chan_2', upstreamPhoneId: '2' })
  const placed = [
    library.place(line(), 'token', link, 'image'),
    library.place(line(), 'token', link, 'image'),
    library.place(second, 'other token', link, 'image'),
    library.place(line(), 'token', link, 'document'),
    library.place(line(), 'token', `${link}?v=2`, 'image'),
  ]
  await turn()
  expect(orders.map(({ order }) => [order.upstreamPhoneId, order.accessToken, order.link, order.format])).toEqual([
    [line().upstreamPhoneId, 'token', link, 'image'],
    ['2', 'other token', link, 'image'],
    [line().upstreamPhoneId, 'token', link, 'document'],
    [line().upstreamPhoneId, 'token', `${link}?v=2`, 'image'],
  ])
  for (const [at, { end }] of orders.entries()) end({ kind: 'uploaded', mediaId: String(at) })
  const ids = (await Promise.all(placed)).map(upload => upload.kind === 'uploaded' && upload.mediaId)
  expect(ids).toEqual(['0', '0', '1', '2', '3'])
})
