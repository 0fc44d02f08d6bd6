import { expect, test } from 'bun:test'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { freshFixture } from '../fixture.ts'
import { at, errorCode, lineId, otherLineId, startReceiver, startRig, user } from './rig.ts'

const path = `/v25.0/${SANDBOX.accountId}/subscribed_apps`
const challengeFor = (token: string) => (request: Request) => {
  const { searchParams } = new URL(request.url)
  const fits = searchParams.get('hub.verify_token') === token && searchParams.get('hub.mode') === 'subscribe'
  return request.method === 'GET' && !fits
    ? new Response('no', { status: 403 })
    : new Response(searchParams.get('hub.challenge') ?? 'ok')
}

const rig = freshFixture(startRig)
const account = freshFixture(() => startReceiver(challengeFor('right')))
const app = freshFixture(startReceiver)

const plain = () => rig.call('POST', path)
const setAddress = (token: string, url = account.url) =>
  rig.call('POST', path, { override_callback_uri: url, verify_token: token })
async function subscribe(token: string, url = account.url) {
  await plain()
  return setAddress(token, url)
}
const write = (line?: string) =>
  rig.sandbox.control.inbound({ kind: 'text', from: user, ...(line !== undefined && { line }) })

test('there is no subscription at first, and nothing is sent', async () => {
  expect((await rig.call('GET', path)).json).toEqual({ data: [] })
  expect((await write())?.status).toBe(0)
})

test('the address is asked during the call, and only an echoed challenge counts', async () => {
  const refused = await subscribe('wrong')
  expect(refused.status).toBe(422)
  expect(errorCode(refused)).toBe(2200)
  expect(errorCode(await subscribe('right', 'http://127.0.0.1:1/'))).toBe(2200)
  expect((await subscribe('right')).json).toEqual({ success: true })
  const listed = (await rig.call('GET', path)).json
  expect(at(listed, 'data', 0, 'override_callback_uri')).toBe(account.url)
  expect(at(listed, 'data', 0, 'whatsapp_business_api_data', 'id')).toBe(SANDBOX.appId)
  expect((await write())?.status).toBe(200)
  expect(account.posted).toHaveLength(1)
})

test('100: an address before the app is subscribed, or where asked for, before it has one of its own', async () => {
  expect(errorCode(await setAddress('right'))).toBe(100)
  expect((await plain()).json).toEqual({ success: true })
  await rig.call('PATCH', '/sandbox/settings', { needsForm: true })
  expect(errorCode(await setAddress('right'))).toBe(100)
  rig.sandbox.control.setCallbackUrl(app.url)
  expect((await setAddress('right')).json).toEqual({ success: true })
})

test('a misspelled body answers success and removes the override', async () => {
  await subscribe('right')
  expect((await rig.call('POST', path, { callback_uri: account.url })).json).toEqual({ success: true })
  expect(at((await rig.call('GET', path)).json, 'data', 0, 'override_callback_uri')).toBeUndefined()
  expect((await write())?.status).toBe(0)
})

test('a reset leaves every address as it was set: callbacks go on', async () => {
  const line = startReceiver(challengeFor('right'))
  rig.sandbox.control.setCallbackUrl(app.url)
  await subscribe('right')
  const configuration = { override_callback_uri: line.url, verify_token: 'right' }
  await rig.call('POST', `/v25.0/${otherLineId}`, { webhook_configuration: configuration })
  expect((await rig.call('POST', '/sandbox/reset')).status).toBe(200)
  expect((await write())?.status).toBe(200)
  expect((await write(otherLineId))?.status).toBe(200)
  await rig.sandbox.control.templateUpdate({ name: 'hello_world', language: 'en_US', event: 'PAUSED' })
  expect([account, line, app].map(({ posted }) => posted.length)).toEqual([1, 1, 1])
  await line.stop()
})

test('callbacks that have nowhere to go are counted, each update by itself', async () => {
  const withoutReceiver = async () =>
    at((await rig.call('GET', '/sandbox/callbacks')).json, 'pending', 'withoutReceiver')
  await rig.text()
  rig.clock.advance(800)
  await write()
  expect(await withoutReceiver()).toBe(4)
  await subscribe('right')
  await write()
  expect(await withoutReceiver()).toBe(4)
})

test('DELETE unsubscribes', async () => {
  await subscribe('right')
  expect((await rig.call('DELETE', path)).json).toEqual({ success: true })
  expect((await rig.call('GET', path)).json).toEqual({ data: [] })
  expect((await write())?.status).toBe(0)
})

test("messages follow the override, template update always go to the app's own address", async () => {
  await subscribe('right')
  rig.sandbox.control.setCallbackUrl(app.url)
  await write()
  await rig.sandbox.control.templateUpdate({ name: 'hello_world', language: 'en_US', event: 'FLAGGED' })
  expect(account.posted).toHaveLength(1)
  expect(app.posted).toHaveLength(1)
  expect(app.posted[0]?.text).toContain('message_template_status_update')
})

test("a line's own address beats the account's, and an empty one removes it", async () => {
  await subscribe('right')
  const own = startReceiver(challengeFor('line'))
  const configure = (url: string) =>
    rig.call('POST', `/v25.0/${otherLineId}`, {
      webhook_configuration: { override_callback_uri: url, verify_token: 'line' },
    })
  expect((await configure(own.url)).json).toEqual({ success: true })
  const shown = await rig.call('GET', `/v25.0/${otherLineId}?fields=webhook_configuration`)
  expect(at(shown.json, 'webhook_configuration')).toEqual({
    phone_number: own.url,
    whatsapp_business_account: account.url,
  })
  await write(otherLineId)
  await write(lineId)
  expect(own.posted).toHaveLength(1)
  expect(account.posted).toHaveLength(1)
  await configure('')
  await write(otherLineId)
  expect(account.posted).toHaveLength(2)
  await own.stop()
})

test('100: an address over 200 characters, or none', async () => {
  expect(errorCode(await subscribe('right', `${account.url}/${'x'.repeat(200)}`))).toBe(100)
  expect(errorCode(await rig.call('POST', `/v25.0/${lineId}`, {}))).toBe(100)
})
