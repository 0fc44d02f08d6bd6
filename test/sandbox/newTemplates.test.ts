import { beforeEach, describe, expect, test } from 'bun:test'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { sharedFixture } from '../fixture.ts'

import { at, errorCode, type Got, png, startReceiver, startRig } from './rig.ts'

const rig = sharedFixture(startRig)
beforeEach(() => rig.sandbox.control.reset())

const path = `/v25.0/${SANDBOX.accountId}/message_templates`
const body = { type: 'BODY', text: 'Hello {{1}}, your order is ready.', example: { body_text: [['Ada']] } }
const template = (more: object = {}) => ({
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  components: [body],
  ...more,
})
/** Uploads an example. @returns its handle */
async function handleOf(bytes: Uint8Array = png, type = 'image/png'): Promise<string> {
  const query = new URLSearchParams({ file_name: 'offer', file_length: String(bytes.length), file_type: type })
  const opened = await rig.call('POST', `/v25.0/${SANDBOX.appId}/uploads?${query}`)
  return String(at((await write(String(at(opened.json, 'id')), bytes)).json, 'h'))
}
async function write(session: string, bytes: Uint8Array, offset = '0'): Promise<Got> {
  const response = await fetch(`${rig.sandbox.url}/v25.0/${session}`, {
    method: 'POST',
    headers: { authorization: `OAuth ${SANDBOX.accessToken}`, file_offset: offset },
    body: new Uint8Array(bytes),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: JSON.parse(text), text }
}
const create = (more: object = {}) => rig.call('POST', path, template(more))
const subcode = (got: Got) => at(got.json, 'error', 'error_subcode')
const statusOf = async (name = 'order_ready') =>
  at((await rig.call('GET', `${path}?name=${name}&fields=status,rejected_reason`)).json, 'data', 0, 'status')

describe('creating a template', () => {
  test('it is answered as pending, listed, approved after the review, and can be sent then', async () => {
    const created = await create()
    expect(created.json).toEqual({ id: expect.stringMatching(/^\d+$/), status: 'PENDING', category: 'UTILITY' })
    expect(await statusOf()).toBe('PENDING')
    const send = () =>
      rig.template({
        name: 'order_ready',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }],
      })
    expect(errorCode(await send())).toBe(132001)
    rig.clock.advance(2_000)
    expect(await statusOf()).toBe('APPROVED')
    expect((await send()).status).toBe(200)
  })

  test('a callback tells of the end of the review: approved, rejected with a reason, or paused', async () => {
    const receiver = startReceiver()
    rig.sandbox.control.setCallbackUrl(receiver.url)
    const ends: unknown[] = []
    for (const name of ['order_ready', 'rejected_offer', 'paused_offer']) await create({ name })
    rig.clock.advance(2_000)
    rig.clock.advance(2_000)
    while (ends.length < 4) {
      const { json } = await receiver.next()
      const changes = at(json, 'entry', 0, 'changes')
      for (const change of Array.isArray(changes) ? changes : [])
        ends.push([at(change, 'value', 'message_template_name'), at(change, 'value', 'event')])
    }
    expect(ends).toContainEqual(['order_ready', 'APPROVED'])
    expect(ends).toContainEqual(['rejected_offer', 'REJECTED'])
    expect(ends.filter(end => at(end, 0) === 'paused_offer')).toEqual([
      ['paused_offer', 'APPROVED'],
      ['paused_offer', 'PAUSED'],
    ])
    rig.sandbox.control.setCallbackUrl(undefined)
    receiver.stop()
  })

  const url = (address: string) => ({ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: address }] })
  const text = (words: string) => ({ components: [{ ...body, text: words }] })
  const picture = (handle: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } })
  const withBody = (...more: object[]) => ({ components: [body, ...more] })
  /** Rule by rule, for what our own rules refuse too: test/templates/authoring/rules.test.ts. */
  const refused: readonly [subcode: number | undefined, what: string, more: object][] = [
    [2388046, 'upper case in the name', { name: 'Order' }],
    [undefined, 'an unknown category', { category: 'SPAM' }],
    [undefined, 'no body', { components: [{ type: 'FOOTER', text: 'x' }] }],
    [undefined, 'two bodies', withBody(body)],
    [2388040, 'a body of 1025 characters', text('x'.repeat(1_025))],
    [2388299, 'a variable at the end', text('Your order with the number {{1}}')],
    [2388072, 'a gap in the variables', text('Your order {{2}} is ready now')],
    [2388293, 'too many variables for the words', text('Hi {{1}} and {{2}} bye')],
    [2388043, 'no example', { components: [{ ...body, example: undefined }] }],
    [2388047, 'markup in the header', withBody({ type: 'HEADER', text: '*Sale*' })],
    [2388073, 'a variable in the footer', withBody({ type: 'FOOTER', text: 'x {{1}}' })],
    [2388050, 'a plain http address', withBody(url('http://acme.example'))],
    [2388043, 'an address with a variable and no example', withBody(url('https://a.example/{{1}}'))],
    [2388047, 'a handle that no upload gave', withBody(picture('no handle'))],
  ]
  test.each(refused)('100, subcode %p: %s', async (expected, _, more) => {
    const got = await create(more)
    expect(got.status).toBe(400)
    expect(errorCode(got)).toBe(100)
    expect(subcode(got)).toBe(expected)
    if (expected !== undefined) expect(at(got.json, 'error', 'error_user_msg')).toBeString()
  })

  /** A one-time password that is filled in by an app. */
  const oneTap = (fields: object) => ({
    category: 'AUTHENTICATION',
    components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'ONE_TAP', ...fields }] }],
  })

  test('accepted: one tap with its app in the button, as it was written before, or in the list', async () => {
    const app = { package_name: 'com.example.luckyshrub', signature_hash: 'K8a/AINcGX7' }
    const inButton = { name: 'a', ...oneTap({ text: 'Copy Code', autofill_text: 'Autofill', ...app }) }
    for (const more of [inButton, { name: 'b', ...oneTap({ supported_apps: [app] }) }])
      expect((await create(more)).json).toMatchObject({ status: 'PENDING' })
  })

  test('2388050: one tap with half an app, in the button or in the list', async () => {
    const half = { package_name: 'com.example.luckyshrub' }
    for (const fields of [half, { ...half, signature_hash: 'short' }, { supported_apps: [half] }])
      expect(subcode(await create(oneTap(fields)))).toBe(2388050)
  })

  test('2388024: name and language exist already; another language of the name is taken', async () => {
    await create()
    expect(subcode(await create())).toBe(2388024)
    expect((await create({ language: 'de' })).status).toBe(200)
  })
})

describe('editing a template', () => {
  const edit = async (more: object) => {
    const listed = await rig.call('GET', `${path}?name=order_ready`)
    return rig.call('POST', `/v25.0/${at(listed.json, 'data', 0, 'id')}`, more)
  }
  const other = { components: [{ type: 'BODY', text: 'Your order waits for you.' }] }

  test('the components are replaced, and the template is reviewed again', async () => {
    await create()
    rig.clock.advance(2_000)
    expect((await edit(other)).json).toEqual({ success: true })
    const listed = await rig.call('GET', `${path}?name=order_ready`)
    expect(at(listed.json, 'data', 0)).toMatchObject({ status: 'PENDING', components: other.components })
    rig.clock.advance(2_000)
    expect(await statusOf()).toBe('APPROVED')
  })

  test('2388039: while it is in review, and a second time within a day once approved', async () => {
    await create()
    expect(subcode(await edit(other))).toBe(2388039)
    rig.clock.advance(2_000)
    await edit(other)
    rig.clock.advance(2_000)
    expect(subcode(await edit(other))).toBe(2388039)
    rig.clock.advance(dayMs)
    expect((await edit(other)).status).toBe(200)
  })

  test('2388039: an approved template keeps its category', async () => {
    await create()
    rig.clock.advance(2_000)
    expect(subcode(await edit({ ...other, category: 'MARKETING' }))).toBe(2388039)
  })
})

describe('deleting templates', () => {
  const remove = (query: string) => rig.call('DELETE', `${path}?${query}`)
  const idOf = (got: Got) => String(at(got.json, 'id'))

  test('by name: all languages; the name of an approved one is blocked for 30 days', async () => {
    await create()
    await create({ language: 'de' })
    rig.clock.advance(2_000)
    expect((await remove('name=order_ready')).json).toEqual({ success: true })
    expect(await statusOf()).toBeUndefined()
    expect(subcode(await create())).toBe(2388023)
    rig.clock.advance(30 * dayMs)
    expect((await create()).status).toBe(200)
  })

  test('by id and name: one language; by many ids: all of them or none', async () => {
    const english = idOf(await create())
    const german = idOf(await create({ language: 'de' }))
    await remove(`name=order_ready&hsm_id=${english}`)
    const left = await rig.call('GET', `${path}?name=order_ready`)
    expect(at(left.json, 'data')).toMatchObject([{ language: 'de' }])
    expect((await remove(`hsm_ids=[${german},999]`)).status).toBe(400)
    expect(await statusOf()).toBe('PENDING')
    expect((await remove(`hsm_ids=[${german}]`)).status).toBe(200)
    expect(await statusOf()).toBeUndefined()
  })

  test('an unknown name is refused', async () => {
    expect(errorCode(await remove('name=nothing'))).toBe(100)
  })

  test('a template that is deleted during its review stays deleted', async () => {
    await create()
    await remove('name=order_ready')
    rig.clock.advance(2_000)
    expect(await statusOf()).toBeUndefined()
  })
})

describe('uploading an example', () => {
  const open = (more: object = {}) => {
    const query = new URLSearchParams({ file_name: 'a.png', file_length: '4', file_type: 'image/png', ...more })
    return rig.call('POST', `/v25.0/${SANDBOX.appId}/uploads?${query}`)
  }

  test('the handle is listed as an address, and cannot be used in the place of a handle', async () => {
    const header = (handle: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } })
    await create({ components: [header(await handleOf()), body] })
    const listed = await rig.call('GET', `${path}?name=order_ready`)
    const address = at(listed.json, 'data', 0, 'components', 0, 'example', 'header_handle', 0)
    expect(address).toEndWith('/sandbox/files/image/offer')
    expect((await fetch(String(address))).headers.get('content-type')).toBe('image/jpeg')
    expect(subcode(await create({ name: 'other', components: [header(String(address)), body] }))).toBe(2388047)
  })

  test('an interrupted upload goes on where it stopped', async () => {
    const half = Math.floor(png.length / 2)
    const session = String(at((await open({ file_length: String(png.length) })).json, 'id'))
    expect(at((await write(session, png.subarray(0, half))).json, 'file_offset')).toBe(half)
    expect(at((await rig.call('GET', `/v25.0/${session}`)).json, 'file_offset')).toBe(half)
    expect((await write(session, png, '0')).status).toBe(400)
    expect(at((await write(session, png.subarray(half), String(half))).json, 'h')).toStartWith('4::')
  })

  test.each([
    ['a type that is no example', { file_type: 'image/webp' }],
    ['a file that is too large', { file_length: String(6 * 1024 * 1024) }],
    ['no length', { file_length: '' }],
  ])('100: %s', async (_, more) => {
    expect(errorCode(await open(more))).toBe(100)
  })

  test('another app is unknown; bytes that are not of the type are refused', async () => {
    expect(errorCode(await rig.call('POST', '/v25.0/1/uploads?file_length=4&file_type=image/png'))).toBe(100)
    const session = String(at((await open({ file_length: '4' })).json, 'id'))
    expect(errorCode(await write(session, new Uint8Array([1, 2, 3, 4])))).toBe(100)
  })
})

describe('limits of the account', () => {
  test('80008: 100 creations within an hour', async () => {
    for (let count = 0; count < 100; count += 1) expect((await create({ name: `order_${count}` })).status).toBe(200)
    expect(errorCode(await create())).toBe(80008)
    rig.clock.advance(hourMs)
    expect((await create()).status).toBe(200)
  })

  test('a rejection is listed with its reason, and its callback advises what to do', async () => {
    const receiver = startReceiver()
    rig.sandbox.control.setCallbackUrl(receiver.url)
    await create({ name: 'rejected_promotional_offer' })
    rig.clock.advance(2_000)
    const value = at((await receiver.next()).json, 'entry', 0, 'changes', 0, 'value')
    expect(value).toMatchObject({ event: 'REJECTED', reason: 'PROMOTIONAL' })
    expect(at(value, 'rejection_info', 'recommendation')).toBeString()
    const listed = await rig.call('GET', `${path}?name=rejected_promotional_offer&fields=status,rejected_reason`)
    expect(at(listed.json, 'data', 0)).toMatchObject({ status: 'REJECTED', rejected_reason: 'PROMOTIONAL' })
    rig.sandbox.control.setCallbackUrl(undefined)
    receiver.stop()
  })
})
