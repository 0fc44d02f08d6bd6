import { afterEach, beforeEach, expect, test } from 'bun:test'
import { windowMs } from '../../src/base/upstreamLimits.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { userIdOf } from '../../src/sandbox/state/random.ts'
import { at, lineId, otherLineId, startRig, user } from './rig.ts'

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

const writes = (from: string) => rig.sandbox.control.inbound({ kind: 'text', from, text: 'Hi' })
const blocked = async (line?: string) => at((await call('GET', 'block_users', undefined, line)).json, 'data')

test('users who wrote are blocked on a line, and listed until they are unblocked', async () => {
  await writes(user)
  await writes('+16505551235')
  const userId = userIdOf('16505551235')
  const users = { messaging_product: 'whatsapp', block_users: [{ user }, { user_id: userId }] }
  const changed = [
    { input: user, wa_id: user.slice(1) },
    { input: userId, wa_id: userId },
  ]
  expect(at((await call('POST', 'block_users', users)).json, 'block_users')).toEqual({ added_users: changed })
  const listed = changed.map(({ wa_id }) => ({ messaging_product: 'whatsapp', wa_id }))
  expect([await blocked(), await blocked(otherLineId)]).toEqual([listed, []])
  expect(at((await call('DELETE', 'block_users', users)).json, 'block_users', 'removed_users')).toEqual(changed)
  expect(await blocked()).toEqual([])
  expect((await call('POST', 'block_users', {})).status).toBe(400)
})

test('who has not written to the line within 24 hours is not blocked, and named beside those who are', async () => {
  await writes('+16505551235')
  rig.clock.advance(windowMs)
  await writes(user)
  const users = { block_users: [{ user }, { user: '+16505551235' }] }
  const { status, json } = await call('POST', 'block_users', users)
  expect([status, at(json, 'error', 'code'), at(json, 'block_users', 'added_users')]).toEqual([
    400,
    139100,
    [{ input: user, wa_id: user.slice(1) }],
  ])
  const failed = [{ input: '+16505551235', wa_id: '16505551235', errors: [{ code: 131047 }] }]
  expect(at(json, 'block_users', 'failed_users')).toMatchObject(failed)
  expect(at((await call('POST', 'block_users', users, otherLineId)).json, 'block_users', 'added_users')).toEqual([])
})

test('who is blocked on a line gets nothing from it, and cannot write to it, as the phone says', async () => {
  await writes(user)
  await call('POST', 'block_users', { block_users: [{ user }] })
  const code = async (line?: string) => at((await rig.text({}, line)).json, 'error', 'code')
  const sent = async (to: object) => at((await rig.text(to)).json, 'error', 'code')
  expect([await code(), await sent({ to: undefined, recipient: userIdOf(user.slice(1)) })]).toEqual([130403, 130403])
  expect(await writes(user)).toMatchObject({ problem: { path: '/from' } })
  const phone = async () => (await rig.call('GET', `/sandbox/phone?user=${user.slice(1)}`)).text
  expect(await phone()).toContain(`The user is blocked on ${SANDBOX.lines[0].number}`)
  expect(await phone()).not.toContain('<form')
  const body = new URLSearchParams({ user: user.slice(1), text: 'Hello?' })
  expect((await fetch(`${rig.sandbox.url}/sandbox/phone`, { method: 'POST', body })).status).toBe(400)
  expect(await rig.sandbox.control.inbound({ kind: 'text', from: user, line: otherLineId })).toMatchObject({
    wamid: expect.any(String),
  })
  expect(await code(otherLineId)).toBeUndefined()
  await call('DELETE', 'block_users', { block_users: [{ user }] })
  expect(await writes(user)).toMatchObject({ wamid: expect.any(String) })
  expect(await code()).toBeUndefined()
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
