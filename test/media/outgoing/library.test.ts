import { expect, test } from 'bun:test'
import type { Store } from '../../../db/contract/store.ts'
import type { UpstreamFault } from '../../../src/graph/answer.ts'
import { nameOf } from '../../../src/media/outgoing/fetch.ts'
import { MediaLibrary } from '../../../src/media/outgoing/library.ts'
import type { MediaOrder, Upload } from '../../../src/media/outgoing/upload.ts'
import { type Logger, silentLogger } from '../../../src/telemetry/log.ts'
import { ManualClock } from '../../clock.ts'
import { line } from '../../db/fixtures.ts'

const link = 'https://cdn.example/1'

/** A library that knows no file yet, with uploads that end when the test says so. */
function emptyLibrary() {
  /** What was logged as an error. */
  const alerts: unknown[] = []
  const orders: { readonly order: MediaOrder; end(upload: Upload): void }[] = []
  const upload = (order: MediaOrder) =>
    new Promise<Upload>(resolve => {
      orders.push({ order, end: resolve })
    })
  const remembered: string[] = []
  const rememberMedia = async ({ link }: { link: string }) => {
    remembered.push(link)
  }
  const store = { read: { media: async () => null }, write: { rememberMedia } }
  const library = new MediaLibrary({
    store: store as unknown as Store,
    upload,
    clock: new ManualClock(),
    log: Object.assign(Object.create(silentLogger), { error: (entry: unknown) => alerts.push(entry) }) as Logger,
  })
  return { library, orders, alerts, remembered }
}

const behind = (link: string) => ({ kind: 'link', link }) as const
const turn = () => new Promise<void>(resolve => setImmediate(resolve))

test('uploads that are under way are shared by line, link and format, and by nothing less: an id belongs to its line', async () => {
  const { library, orders } = emptyLibrary()
  const second = line({ id: 'line_2', channelId: 'chan_2', upstreamPhoneId: '2' })
  const placed = [
    library.place(line(), 'token', behind(link), 'image'),
    library.place(line(), 'token', behind(link), 'image'),
    library.place(second, 'other token', behind(link), 'image'),
    library.place(line(), 'token', behind(link), 'document'),
    library.place(line(), 'token', behind(`${link}?v=2`), 'image'),
  ]
  await turn()
  expect(
    orders.map(({ order }) => [order.upstreamPhoneId, order.accessToken, nameOf(order.source), order.format]),
  ).toEqual([
    [line().upstreamPhoneId, 'token', link, 'image'],
    ['2', 'other token', link, 'image'],
    [line().upstreamPhoneId, 'token', link, 'document'],
    [line().upstreamPhoneId, 'token', `${link}?v=2`, 'image'],
  ])
  for (const [at, { end }] of orders.entries()) end({ kind: 'uploaded', mediaId: String(at) })
  const ids = (await Promise.all(placed)).map(upload => upload.kind === 'uploaded' && upload.mediaId)
  expect(ids).toEqual(['0', '0', '1', '2', '3'])
})

test('an upload that shows that the token, the account or the line is stopped is told to the operator, and no other', async () => {
  const faults = [
    { code: 190, errorClass: 'token', fault: 'upstream', title: 'Session has expired' },
    { code: 131031, errorClass: 'accountStop', fault: 'upstream', title: 'Account locked' },
    { code: 131053, errorClass: 'permanent', fault: 'request', title: 'Media upload error' },
    { code: 131000, errorClass: 'vague', fault: 'upstream', title: 'Something went wrong' },
  ] as const
  const { library, orders, alerts } = emptyLibrary()
  for (const [at, told] of faults.entries()) {
    const placed = library.place(line(), 'token', behind(`${link}?v=${at}`), 'image')
    await turn()
    const fault: UpstreamFault = { ...told, retryable: false, subcode: null, details: null, traceId: 'T1' }
    orders.at(-1)?.end({ kind: 'refused', fault })
    expect(await placed).toEqual({ kind: 'refused', fault })
  }
  const { id: lineId, channelId } = line()
  expect(alerts).toEqual([190, 131031].map(code => ({ channelId, lineId, code, traceId: 'T1' })))
})

test('a link that no index takes is placed, and not remembered', async () => {
  const { library, orders, remembered } = emptyLibrary()
  const longest = link.padEnd(2_000, 'x')
  for (const asked of [longest, `${longest}x`, link.padEnd(1_500, '\u00e9')]) {
    const placed = library.place(line(), 'token', behind(asked), 'image')
    await turn()
    orders.at(-1)?.end({ kind: 'uploaded', mediaId: '1' })
    expect(await placed).toEqual({ kind: 'uploaded', mediaId: '1' })
  }
  expect(remembered).toEqual([longest])
})
