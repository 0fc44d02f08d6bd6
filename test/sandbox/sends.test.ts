import { describe, expect, test } from 'bun:test'
import { dayMs } from '../../src/base/durations.ts'
import { sharedFixture } from '../fixture.ts'
import { at, errorCode, errorDetails, lineId, otherLineId, startRig, user, wamidOf } from './rig.ts'

const rig = sharedFixture(startRig)

describe('access', () => {
  const path = `/v25.0/${lineId}/messages`

  test('104: a request without a token is refused', async () => {
    const got = await rig.call('POST', path, {}, { authorization: '' })
    expect(got.status).toBe(401)
    expect(errorCode(got)).toBe(104)
  })

  test('190: a wrong token is refused before anything else is looked at', async () => {
    const got = await rig.call('POST', '/v25.0/1/messages', '{', { authorization: 'Bearer other' })
    expect(got.status).toBe(401)
    expect(errorCode(got)).toBe(190)
  })

  test('190: the token expires (463), is invalidated (460) and comes back', async () => {
    rig.sandbox.control.setToken('expired')
    expect(at((await rig.text()).json, 'error', 'error_subcode')).toBe(463)
    rig.sandbox.control.setToken('invalidated')
    expect(at((await rig.text()).json, 'error', 'error_subcode')).toBe(460)
    rig.sandbox.control.setToken('valid')
    expect((await rig.text()).status).toBe(200)
  })

  test('100/33: an unknown line is HTTP 400, not 404', async () => {
    const got = await rig.text({}, '999')
    expect(got.status).toBe(400)
    expect(errorCode(got)).toBe(100)
    expect(at(got.json, 'error', 'error_subcode')).toBe(33)
    expect(at(got.json, 'error', 'type')).toBe('GraphMethodException')
  })

  test('any version is taken, and each error has a fresh trace id', async () => {
    expect((await rig.call('POST', `/v99.7/${lineId}/messages`, '{')).status).toBe(400)
    const [one, two] = await Promise.all([rig.text({ to: 1 }), rig.text({ to: 1 })])
    const trace = at(one.json, 'error', 'fbtrace_id')
    expect(trace).toBeString()
    expect(trace).not.toBe(at(two.json, 'error', 'fbtrace_id'))
  })
})

describe('acceptance', () => {
  test('200: the input is echoed as sent, wa_id is digits, the id looks real', async () => {
    const got = await rig.text({ to: '+1 (650) 555-1234' })
    expect(got.status).toBe(200)
    expect(at(got.json, 'contacts', 0)).toEqual({ input: '+1 (650) 555-1234', wa_id: '16505551234' })
    expect(wamidOf(got)).toMatch(/^wamid\.HBgL[A-Za-z0-9+/]+=*$/)
    expect(at(got.json, 'messages', 0, 'message_status')).toBeUndefined()
  })

  test("missing +: the sending line's country code is put in front", async () => {
    expect(at((await rig.text({ to: '1 (631) 555-1234' })).json, 'contacts', 0, 'wa_id')).toBe('116315551234')
    const fromGermany = await rig.text({ to: '1 (631) 555-1234' }, otherLineId)
    expect(at(fromGermany.json, 'contacts', 0, 'wa_id')).toBe('4916315551234')
  })

  test('the digits of a magic number are international without + too, and work their magic', async () => {
    for (const to of ['15550130500', '1 (555) 013-0500', '+15550130500']) {
      expect((await rig.text({ to }, otherLineId)).status).toBe(500)
      expect(rig.sandbox.control.requests().at(-1)).toMatchObject({ waId: '15550130500', outcome: 'dropped' })
    }
    expect(at((await rig.text({ to: '155501305001' })).json, 'contacts', 0, 'wa_id')).toBe('1155501305001')
  })

  test('a user id is answered with user_id and without wa_id; `to` wins over it', async () => {
    const recipient = 'US.13491208655302741918'
    const got = await rig.text({ to: undefined, recipient })
    expect(at(got.json, 'contacts', 0)).toEqual({ input: recipient, user_id: recipient })
    expect(at((await rig.text({ recipient })).json, 'contacts', 0, 'wa_id')).toBe('16505551234')
  })

  test('a message to a group is accepted, and answered with the id of the group', async () => {
    const to = 'Y2FwaV9ncm91cDoxNzA1NTUwMTMxNDk='
    const got = await rig.text({ to, recipient_type: 'group' })
    expect(at(got.json, 'contacts', 0)).toEqual({ input: to, wa_id: to })
  })

  test('mark as read is answered with success and needs no addressee', async () => {
    const path = `/v25.0/${lineId}/messages`
    const read = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.x' }
    expect((await rig.call('POST', path, read)).json).toEqual({ success: true })
    const typing = { ...read, typing_indicator: { type: 'text' } }
    expect((await rig.call('POST', path, typing)).json).toEqual({ success: true })
    expect(rig.sandbox.control.requests().slice(-2)).toMatchObject(
      [read, typing].map(body => ({ kind: 'markAsRead', line: lineId, outcome: 'accepted', body })),
    )
    const got = await rig.call('POST', path, { ...read, message_id: 'x' })
    expect(errorCode(got)).toBe(131009)
  })
})

const refused: readonly [code: number, what: string, content: object][] = [
  [100, 'unreadable type', { to: 1 }],
  [100, 'an unknown top-level field', { txt: {} }],
  [100, 'another product', { messaging_product: 'sms' }],
  [100, 'no addressee', { to: undefined }],
  [100, 'an unknown type', { type: 'fax' }],
  [100, 'an unknown type of recipient', { recipient_type: 'channel' }],
  [131009, 'a number in place of a group', { recipient_type: 'group' }],
  [100, 'the content is missing', { type: 'image' }],
  [100, 'a text without body', { text: {} }],
  [100, 'a body that is no string', { text: { body: 5 } }],
  [100, 'a text of 4097 characters', { text: { body: 'x'.repeat(4_097) } }],
  [100, 'opaque data of 513 characters', { biz_opaque_callback_data: 'x'.repeat(513) }],
  [131009, 'no number at all', { to: '+12' }],
  [131009, 'a context that is no message id', { context: { message_id: 'x' } }],
  [131021, 'the recipient is the sender', { to: '+15550783881' }],
  [131053, 'a link that is no web address', { type: 'image', image: { link: 'ftp://x/y' } }],
  [100, 'an unknown media id', { type: 'image', image: { id: '1' } }],
  [100, 'audio takes no caption', { type: 'audio', audio: { link: 'https://x.example', caption: 'x' } }],
  [131009, 'a latitude beyond 90', { type: 'location', location: { latitude: 91, longitude: 0 } }],
]

describe('refusals of free-form messages', () => {
  test.each(refused)('%d: %s', async (code, _, content) => {
    const got = await rig.text(content)
    expect([got.status, errorCode(got)]).toEqual([400, code])
  })

  test('4096 characters are taken, and an emoji counts as one', async () => {
    expect((await rig.text({ text: { body: '😀'.repeat(4_096) } })).status).toBe(200)
  })

  test('131047: with the window switched on a text needs an inbound message within 24 hours', async () => {
    rig.sandbox.control.configure({ windowRequired: true })
    const to = '+16505550199'
    const closed = await rig.text({ to })
    expect(errorCode(closed)).toBe(131047)
    expect(errorDetails(closed)).toBeString()
    await rig.sandbox.control.inbound({ kind: 'text', from: to })
    expect((await rig.text({ to })).status).toBe(200)
    expect(errorCode(await rig.text({ to }, otherLineId))).toBe(131047)
    rig.clock.advance(dayMs)
    expect(errorCode(await rig.text({ to }))).toBe(131047)
    expect((await rig.template({ name: 'hello_world', language: { code: 'en_US' } })).status).toBe(200)
    rig.sandbox.control.configure({ windowRequired: false })
    expect((await rig.text({ to: user })).status).toBe(200)
  })
})
