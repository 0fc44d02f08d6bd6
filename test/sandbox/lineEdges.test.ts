import { afterEach, beforeEach, expect, test } from 'bun:test'
import { at, lineId, otherLineId, startRig } from './rig.ts'

let rig: Awaited<ReturnType<typeof startRig>>
beforeEach(async () => {
  rig = await startRig()
})
afterEach(() => rig.stop())
const call = (method: string, path: string, body?: object, line: string = lineId) =>
  rig.call(method, `/v25.0/${line}/${path}`, body)

test('the profile of a line has the fields that were written, and those that are asked for are shown', async () => {
  const written = { messaging_product: 'whatsapp', about: 'Acme', websites: ['https://acme.example'], other: 1 }
  expect((await call('POST', 'whatsapp_business_profile', written)).json).toEqual({ success: true })
  await call('POST', 'whatsapp_business_profile', { about: 'Other' })
  const shown = await call('GET', 'whatsapp_business_profile?fields=about,websites,email,other')
  const profile = { about: 'Other', websites: ['https://acme.example'], messaging_product: 'whatsapp' }
  expect(shown.json).toEqual({ data: [profile] })
  const other = await call('GET', 'whatsapp_business_profile?fields=about', undefined, otherLineId)
  expect(other.json).toEqual({ data: [{ messaging_product: 'whatsapp' }] })
})

test('users are blocked on a line, and listed until they are unblocked', async () => {
  const users = { messaging_product: 'whatsapp', block_users: [{ user: '+16505551234' }, { user_id: 'US.1' }] }
  const changed = [
    { input: '+16505551234', wa_id: '16505551234' },
    { input: 'US.1', wa_id: 'US.1' },
  ]
  expect(at((await call('POST', 'block_users', users)).json, 'block_users', 'added_users')).toEqual(changed)
  const blocked = async (line?: string) => at((await call('GET', 'block_users', undefined, line)).json, 'data')
  const listed = changed.map(({ wa_id }) => ({ messaging_product: 'whatsapp', wa_id }))
  expect([await blocked(), await blocked(otherLineId)]).toEqual([listed, []])
  expect(at((await call('DELETE', 'block_users', users)).json, 'block_users', 'removed_users')).toEqual(changed)
  expect(await blocked()).toEqual([])
  expect((await call('POST', 'block_users', {})).status).toBe(400)
})

test('a QR code is made, changed, shown and deleted, on its line', async () => {
  const made = (await call('POST', 'message_qrdls?prefilled_message=Hello')).json
  const code = String(at(made, 'code'))
  expect(made).toEqual({ code, prefilled_message: 'Hello', deep_link_url: `https://wa.me/message/${code}` })
  await call('POST', 'message_qrdls', { code, prefilled_message: 'Hi' })
  expect(at((await call('GET', `message_qrdls/${code}`)).json, 'data', 0, 'prefilled_message')).toBe('Hi')
  expect(at((await call('GET', 'message_qrdls')).json, 'data', 0, 'code')).toBe(code)
  expect((await call('DELETE', `message_qrdls/${code}`, undefined, otherLineId)).status).toBe(400)
  expect((await call('DELETE', `message_qrdls/${code}`)).json).toEqual({ success: true })
  expect((await call('GET', 'message_qrdls')).json).toEqual({ data: [] })
})

test('an edge that the stand-in has not is refused, as is a line that is not its own', async () => {
  expect(at((await call('GET', 'flows')).json, 'error', 'code')).toBe(2500)
  expect(at((await call('GET', 'block_users', undefined, '1')).json, 'error', 'error_subcode')).toBe(33)
})
