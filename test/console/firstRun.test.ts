import { expect, test } from 'bun:test'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { startEmptyWorkspace } from './emptyWorkspace.ts'
import { addPerson, type CallInit } from './people.ts'

const space = sharedFixture(() =>
  startEmptyWorkspace({ CONTENT_RETENTION_DAYS: '7', SECRET_KEY: 'a secret key of many letters' }),
)

const call = (path: string, init?: CallInit) => space.owner.call(space.base + path, init)

test('from nothing to a delivered message against the sandbox, with one request for the channel', async () => {
  const none = { hasChannel: false, hasCallbacks: false, hasActiveLine: false, hasTemplate: false }
  const nothing = {
    ...none,
    hasKey: false,
    hasDelivered: false,
    hasWebhook: false,
    firstSend: null,
    firstTest: null,
    sandboxAvailable: true,
  }
  expect((await call('/setup')).json).toEqual(nothing)

  const connected = await call('/setup/sandbox', { method: 'POST' })
  expect(connected.json.channelId).toStartWith('chan_')
  await eventually(async () => expect((await call('/setup')).json.hasTemplate).toBe(true))
  expect((await call('/setup')).json).toMatchObject({ hasChannel: true, hasActiveLine: true, hasKey: false })
  // Once more changes nothing.
  expect((await call('/setup/sandbox', { method: 'POST' })).json).toEqual(connected.json)
  expect((await call('/lines')).json.lines).toHaveLength(1)

  // A test message from the page is delivered without a key.
  const { templateId, ...test } = (await call('/setup')).json.firstTest
  const tested = await call(`/templates/${templateId}/test`, {
    body: { ...test, phone: '+15550150100', idempotencyKey: 'first' },
  })
  expect([tested.status, tested.json.status]).toEqual([200, 'SENT'])
  await eventually(async () => expect((await call('/setup')).json).toMatchObject({ hasDelivered: true, hasKey: false }))

  // The body that the page shows works as it is, with a number.
  const { firstSend, firstTest } = (await call('/setup')).json
  const { apiKey, apiSecret } = (await call('/api-keys', { body: { label: 'first' } })).json
  const sent = await space.gateway.send({ ...firstSend, phone: '+15550150100' }, { apiKey, apiSecret })
  expect([sent.status, sent.json.data?.status]).toEqual([201, 'SENT'])
  await eventually(async () =>
    expect((await call('/setup')).json).toEqual({
      hasChannel: true,
      hasCallbacks: true,
      hasActiveLine: true,
      hasTemplate: true,
      hasKey: true,
      hasDelivered: true,
      hasWebhook: false,
      firstSend,
      firstTest,
      sandboxAvailable: true,
    }),
  )

  // A webhook that is switched off tells nobody anything.
  const { id } = (await call('/webhooks', { body: { url: 'https://93.184.216.34/' } })).json
  expect((await call('/setup')).json.hasWebhook).toBe(true)
  await call(`/webhooks/${id}/state`, { method: 'PUT', body: { isOn: false } })
  expect((await call('/setup')).json.hasWebhook).toBe(false)
})

test('409 CONFLICT: another upstream is not the sandbox', async () => {
  const gateway = await startTestGateway()
  const admin = await addPerson(gateway, 'admin')
  const base = `/api/v1/workspaces/${gateway.workspaceId}`
  expect((await admin.call(`${base}/setup`)).json.sandboxAvailable).toBe(false)
  const answer = await admin.call(`${base}/setup/sandbox`, { method: 'POST' })
  expect([answer.status, answer.json.error]).toEqual([409, 'CONFLICT'])
  await gateway.stop()
})

test('settings are told with their source, and nothing of the machine or its secrets', async () => {
  const answer = await call('/settings')
  const { workspace, gateway, isSandbox } = answer.json
  expect(workspace).toMatchObject({ id: space.workspaceId, name: 'Fresh', monthlyMessageLimit: 500 })
  expect(isSandbox).toBe(true)
  expect(gateway).toContainEqual(expect.objectContaining({ name: 'CONTENT_RETENTION_DAYS', value: '7', isSet: true }))
  expect(gateway).toContainEqual(
    expect.objectContaining({ name: 'IDEMPOTENCY_TTL_HOURS', value: '24', isSet: false, purpose: expect.any(String) }),
  )
  expect(answer.text).not.toMatch(/SECRET_KEY|DATA_DIR|many letters|waypost-test/)
})
