import { beforeEach, describe, expect, test } from 'bun:test'
import { freshFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { sandboxAccount, startEmptyWorkspace } from './emptyWorkspace.ts'
import { addPerson, type CallInit } from './people.ts'

const space = freshFixture(startEmptyWorkspace)

const call = (path: string, init?: CallInit) => space.owner.call(space.base + path, init)
const connect = (body: object = {}) => call('/channels', { body: { ...sandboxAccount, ...body } })
const patch = (path: string, body: object) => call(path, { method: 'PATCH', body })

describe('connecting an account', () => {
  test('reads it, adds its numbers as lines, and shows no secret again', async () => {
    const connected = await connect({ appId: '670843887433847', addLines: true })
    expect(connected.status).toBe(200)
    const { channel } = connected.json
    expect(channel).toMatchObject({
      accountId: '102290129340398',
      appId: '670843887433847',
      callbackUrl: null,
      callbacks: { state: 'none', acceptedAt: null, refusedAt: null, refusal: null },
    })
    const listed = await call('/channels')
    expect(listed.json).toEqual({ channels: [channel] })
    expect(listed.text + connected.text).not.toMatch(/sandbox-token|sandbox-app-secret/)
    expect((await call('/lines')).json.lines.map(({ number }: { number: string }) => number)).toEqual([
      expect.stringContaining('555'),
      expect.stringContaining('30'),
    ])
    expect(await space.audit()).toContain(`channel.connect by console:${space.owner.email}`)
  })

  test('a second time replaces the secrets when that is asked for, and keeps id and verify token', async () => {
    const { channel } = (await connect()).json
    const before = (await call(`/channels/${channel.id}/callback-setup`)).json
    const refused = await connect({ accessToken: 'sandbox-token' })
    expect([refused.status, refused.json.error]).toEqual([409, 'CONFLICT'])
    expect((await call(`/channels/${channel.id}`)).json).toEqual(channel)
    const again = (await connect({ replaces: true })).json
    expect(again.channel.id).toBe(channel.id)
    expect((await call(`/channels/${channel.id}/callback-setup`)).json).toEqual(before)
  })

  test('400 CHANNEL_GRAPH_ERROR: a token that does not open the account changes nothing', async () => {
    const refused = await connect({ accessToken: 'another-token' })
    expect([refused.status, refused.json.error]).toEqual([400, 'CHANNEL_GRAPH_ERROR'])
    expect(refused.json.message).toContain('Nothing was changed')
    expect(refused.text).not.toContain('another-token')
    expect((await call('/channels')).json.channels).toEqual([])
  })

  test('400 VALIDATION_ERROR: every problem is named, and no secret is repeated', async () => {
    const refused = await connect({ accountId: '../me', accessToken: 'two words', appId: 'x', verifyToken: 'y' })
    expect(refused.json.error).toBe('VALIDATION_ERROR')
    expect(refused.json.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/accessToken',
      '/accountId',
      '/appId',
      '/verifyToken',
    ])
    expect(refused.text).not.toContain('two words')
  })
})

describe('a connected channel', () => {
  let id: string
  beforeEach(async () => {
    id = (await connect({ addLines: true })).json.channel.id
  })

  test('is checked live: the account, and where its callbacks go', async () => {
    const before = (await call(`/channels/${id}/check`)).json
    expect(before.account).toMatchObject({ isReadable: true, message: null })
    expect(before.account.numbers.map(({ lineId }: { lineId: string }) => lineId.slice(0, 5))).toEqual([
      'line_',
      'line_',
    ])
    const told = (await call('/lines')).json.lines.map((line: Record<string, unknown>) => [
      line.quality,
      line.messagingLimit,
    ])
    expect(told).toEqual([
      ['GREEN', 'TIER_250'],
      ['GREEN', 'TIER_250'],
    ])
    expect(before.subscription).toEqual({ state: 'nowhere', addresses: [], message: null })

    const subscribed = await call(`/channels/${id}/callback-subscription`, { method: 'POST' })
    expect(subscribed.json).toEqual({ callbackUrl: `${space.gateway.url}/callbacks/channel/${id}`, cutOff: [] })
    expect((await call(`/channels/${id}/check`)).json.subscription.state).toBe('here')

    space.sandbox.control.setToken('expired')
    const after = (await call(`/channels/${id}/check`)).json
    expect(after.account.isReadable).toBe(false)
    expect(after.account.message).toContain('code 190')
    expect(after.subscription.state).toBe('unknown')
  })

  test('gets another token only if it opens the account, and another app secret', async () => {
    const refused = await patch(`/channels/${id}`, { accessToken: 'another-token' })
    expect([refused.status, refused.json.error]).toEqual([400, 'CHANNEL_GRAPH_ERROR'])
    const token = await patch(`/channels/${id}`, { accessToken: ' sandbox-token\n' })
    const rest = await patch(`/channels/${id}`, { appSecret: 'next', appId: '12345' })
    expect([token.status, rest.status, rest.json.appId]).toEqual([200, 200, '12345'])
    expect((await patch(`/channels/${id}`, {})).status).toBe(400)
    const stored = await space.gateway.gateway.store.read.channel(id)
    if (!stored) throw new Error('the channel is gone')
    const { credentials } = space.gateway.gateway
    expect([credentials.open(stored, 'accessToken'), credentials.open(stored, 'appSecret')]).toEqual([
      'sandbox-token',
      'next',
    ])
  })

  test('is disconnected with its lines', async () => {
    const gone = await call(`/channels/${id}`, { method: 'DELETE' })
    expect([gone.status, gone.json.id]).toEqual([200, id])
    expect((await call(`/channels/${id}`)).status).toBe(404)
    expect((await call('/lines')).json).toEqual({ lines: [], unnamedLineId: null })
  })
})

test('409 CONFLICT: without PUBLIC_URL the real platform has no address to call', async () => {
  // Nothing answers there, so it is not the stand-in.
  const real = await startTestGateway({ env: { CHANNEL_API_URL: 'http://127.0.0.1:9' } })
  const { workspaceId, channelId } = real
  const admin = await addPerson(real, 'admin')
  const answer = await admin.call(`/api/v1/workspaces/${workspaceId}/channels/${channelId}/callback-subscription`, {
    method: 'POST',
  })
  expect([answer.status, answer.json.error]).toEqual([409, 'CONFLICT'])
  expect(answer.json.message).toContain('PUBLIC_URL')
  await real.stop()
})

describe('lines', () => {
  const patchLine = (id: string, body: object) => patch(`/lines/${id}`, body)

  test('are added, paced, made the default, deactivated and removed', async () => {
    const { channel } = (await connect()).json
    const add = (upstreamPhoneId: string, number: string) =>
      call('/lines', { body: { channelId: channel.id, upstreamPhoneId, number } })
    const one = (await add('106540352242922', '+1 (555) 078-3881')).json
    const other = (await add('113355779911335', '+493023125042')).json
    expect(one).toMatchObject({ number: '+15550783881', active: true, isDefault: false, perSecond: 80, pairSeconds: 6 })
    expect((await add('113355779911335', '+493023125042')).json.error).toBe('CONFLICT')
    expect((await add('1', 'my phone')).json.details.issues[0].path).toBe('/number')
    expect((await call('/lines')).json.unnamedLineId).toBeNull()

    expect((await patchLine(other.id, { isDefault: true })).json.isDefault).toBe(true)
    expect((await call('/lines')).json.unnamedLineId).toBe(other.id)
    expect((await patchLine(one.id, { perSecond: 250, pairSeconds: 0 })).json).toMatchObject({
      perSecond: 250,
      pairSeconds: 0,
    })
    expect((await patchLine(one.id, { label: ' Berlin ' })).json).toMatchObject({ label: 'Berlin', perSecond: 250 })
    for (const label of ['two\nlines', 'x'.repeat(121)]) {
      expect((await patchLine(one.id, { label })).json.error).toBe('VALIDATION_ERROR')
    }
    expect((await patchLine(one.id, { label: ' ' })).json).toMatchObject({ label: null })
    expect((await patchLine(one.id, { directSend: true })).json).toMatchObject({ directSend: true, perSecond: 250 })
    expect((await patchLine(other.id, { active: false })).json).toMatchObject({ active: false, isDefault: false })
    expect((await patchLine(other.id, { isDefault: true })).json.error).toBe('CONFLICT')
    expect((await patchLine(one.id, {})).json.error).toBe('VALIDATION_ERROR')
    expect((await patchLine(one.id, { perSecond: -1 })).json.error).toBe('VALIDATION_ERROR')

    expect((await call(`/lines/${other.id}`, { method: 'DELETE' })).json.id).toBe(other.id)
    expect((await call('/lines')).json.lines.map(({ id }: { id: string }) => id)).toEqual([one.id])
  })
})
