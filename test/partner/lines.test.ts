import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Line } from '../../db/contract/records.ts'
import { newId } from '../../src/base/ids.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { text } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
let second: Line
let inactive: Line
const other = sharedFixture(() => gateway.addWorkspace())
beforeAll(async () => {
  second = await gateway.addLine()
  inactive = await gateway.addLine({ active: false })
})
beforeEach(async () => {
  await gateway.gateway.store.write.setDefaultLine({ lineId: second.id, isDefault: false })
  await activate(gateway.line, second)
  gateway.upstream.received.length = 0
})

/** Makes exactly these lines active. */
async function activate(...active: readonly Line[]) {
  for (const { id: lineId } of [gateway.line, second, inactive])
    await gateway.gateway.store.write.changeLine({ lineId, active: active.some(({ id }) => id === lineId) })
}

const usedPaths = () => gateway.upstream.received.map(({ path }) => path)
const pathOf = (line: Line) => `/v25.0/${line.upstreamPhoneId}/messages`

async function refusal(fields: Record<string, unknown> = {}) {
  const stored = (await gateway.messages()).length
  const { status, json } = await gateway.send({ ...text, ...fields })
  expect(gateway.upstream.received).toEqual([])
  expect((await gateway.messages()).length).toBe(stored)
  return `${status} ${json.error}`
}

/** Which line is chosen, and each refusal: `test/sending/line.test.ts`, and over HTTP `test/partner/docs/refusals.test.ts`. */
describe('the line of a send', () => {
  test('201: a line activated beside the running gateway counts from the next request', async () => {
    await activate(second, inactive)
    expect((await gateway.send({ ...text, phoneNumberId: inactive.id })).status).toBe(201)
    expect(usedPaths()).toEqual([pathOf(inactive)])
  })

  test('201: the default line is used when none is named, from the next request on', async () => {
    const { write } = gateway.gateway.store
    await write.setDefaultLine({ lineId: second.id, isDefault: true })
    expect((await gateway.send(text)).status).toBe(201)
    expect((await gateway.send({ ...text, phoneNumberId: gateway.line.id })).status).toBe(201)
    expect(usedPaths()).toEqual([pathOf(second), pathOf(gateway.line)])
    gateway.upstream.received.length = 0
    await write.setDefaultLine({ lineId: second.id, isDefault: false })
    expect(await refusal()).toBe('400 PHONE_NUMBER_REQUIRED')
  })

  test('400 PHONE_NUMBER_REQUIRED: a default line that was deactivated is no default any more', async () => {
    await gateway.gateway.store.write.setDefaultLine({ lineId: second.id, isDefault: true })
    await activate(gateway.line, inactive)
    expect(await refusal()).toBe('400 PHONE_NUMBER_REQUIRED')
    await activate(gateway.line, second)
    expect(await refusal()).toBe('400 PHONE_NUMBER_REQUIRED')
  })

  test.each([
    ['of 100,000 characters', 'x'.repeat(100_000)],
    ['with a NUL', 'line_\0'],
    ['with half a character', 'line_\ud800'],
    ['of white space', ' '],
  ])('an id that is none, %s, is not found as any other', async (_, id) => {
    expect(await refusal({ phoneNumberId: id })).toBe('400 PHONE_NUMBER_NOT_FOUND')
    expect(await refusal({ phoneNumberId: second.id, phone: undefined, contactId: id })).toBe('404 NOT_FOUND')
  })

  test("201: another workspace's lines do not make this one's ambiguous, and each sends with its own token", async () => {
    await activate(gateway.line)
    expect((await gateway.send(text)).status).toBe(201)
    expect((await gateway.send(text, { ...other.key })).status).toBe(201)
    expect(usedPaths()).toEqual([pathOf(gateway.line), pathOf(other.line)])
    const tokens = gateway.upstream.received.map(({ headers }) => headers.get('authorization'))
    expect(tokens).toEqual(['Bearer access-token', 'Bearer other-token'])
  })

  test('the order of checks: the line before the contact, the contact before the template', async () => {
    await activate()
    const wrong = { type: 'template', contactId: newId('contact'), templateName: 'none', templateVariables: {} }
    const ask = async () => (await gateway.send(wrong)).json
    expect((await ask()).error).toBe('NO_PHONE_NUMBER')
    await activate(second)
    expect(await ask()).toMatchObject({ error: 'NOT_FOUND', message: expect.stringContaining('contactId') })
  })
})
