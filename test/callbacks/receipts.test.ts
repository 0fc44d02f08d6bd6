import { expect, test } from 'bun:test'
import { CallbackReceipts } from '../../src/callbacks/receipts.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { signatureOf, statusCallback } from '../upstream.ts'
import { callbackUrl, status } from './report.ts'

const gateway = sharedFixture(startTestGateway)

const body = JSON.stringify(statusCallback(status('wamid.none', 'delivered')))
const post = (secret: string | null) =>
  fetch(callbackUrl(gateway), {
    method: 'POST',
    headers: secret === null ? {} : { 'x-hub-signature-256': signatureOf(body, secret) },
    body,
  })
const receipt = async () => (await gateway.gateway.store.read.callbackReceipts())[0]

test('the last good callback and the last refused one are kept, with why it was refused', async () => {
  expect(await receipt()).toBeUndefined()
  expect((await post('app-secret')).status).toBe(200)
  await eventually(async () =>
    expect(await receipt()).toMatchObject({ acceptedAt: expect.any(Number), refusedAt: null }),
  )
  expect((await post('another')).status).toBe(401)
  await eventually(async () => expect(await receipt()).toMatchObject({ refusal: 'wrongSignature' }))
  expect((await post('app-secret')).status).toBe(200)
  expect((await post(null)).status).toBe(401)
  await eventually(async () => expect(await receipt()).toMatchObject({ refusal: 'unsigned' }))
})

test('a flood of one kind is one write a minute, and a change of kind is written at once', () => {
  const clock = new ManualClock()
  const written: (string | null)[] = []
  const noteCallback = async ({ refusal }: { refusal: string | null }) => void written.push(refusal)
  const receipts = new CallbackReceipts({ write: { noteCallback } }, clock, new Metrics())
  for (let count = 0; count < 1_000; count += 1) receipts.refused('chan_1', 'unsigned')
  expect(written).toEqual(['unsigned'])
  receipts.accepted('chan_1')
  receipts.refused('chan_2', 'wrongSignature')
  expect(written).toEqual(['unsigned', null, 'wrongSignature'])
  clock.advance(60_000)
  receipts.accepted('chan_1')
  expect(written).toHaveLength(4)
})
