import { beforeAll, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { addPerson, type CallInit, type Person } from './people.ts'

let admin: Person
const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  admin = await addPerson(gateway, 'admin')
})

const call = (path: string, init?: CallInit) =>
  admin.call(`/api/v1/workspaces/${gateway.workspaceId}/api-keys${path}`, init)
const create = async (body: object = {}) => (await call('', { body })).json
const works = async (apiKey: string, apiSecret: string) =>
  (await gateway.get('/api/v1/public/templates', { apiKey, apiSecret })).status

test('a key is made with a secret that is answered once, and works', async () => {
  const { apiKey, apiSecret, ...rest } = await create({ label: 'production' })
  expect(apiSecret).toMatch(/^sk_[0-9A-Za-z]{43}$/)
  expect(rest).toMatchObject({ label: 'production', expiresAt: null, allowedNetworks: null, revokedAt: null })
  expect(await works(apiKey, apiSecret)).toBe(200)
  const listed = await call('')
  expect(listed.json.apiKeys).toContainEqual(
    expect.objectContaining({ apiKey, label: 'production', scope: rest.scope }),
  )
  expect(listed.text).not.toContain(apiSecret)
})

test('a key is made with scopes, which its successor keeps', async () => {
  const scopes = ['templates:read']
  const narrow = await create({ label: 'catalogue', scopes })
  expect([narrow.scopes, await works(narrow.apiKey, narrow.apiSecret)]).toEqual([scopes, 200])
  const { key } = (await call(`/${narrow.apiKey}/rotate`, { body: { graceHours: 1 } })).json
  expect(key.scopes).toEqual(scopes)
  const other = await create({ scopes: ['messages:send'] })
  expect(await works(other.apiKey, other.apiSecret)).toBe(403)
  for (const wrong of [[], ['everything'], ['inbound', 'inbound']]) {
    const { status, json } = await call('', { body: { scopes: wrong } })
    expect([status, json.details.issues[0].path]).toEqual([400, expect.stringMatching(/^\/scopes/)])
  }
})

test('a key is made for lines, which its successor keeps, and not with the scope webhooks beside them', async () => {
  const lineIds = [gateway.line.id]
  const narrow = await create({ label: 'shop', lineIds })
  const { key, former } = (await call(`/${narrow.apiKey}/rotate`, { body: { graceHours: 1 } })).json
  expect([narrow.lineIds, key.lineIds, former.lineIds]).toEqual([lineIds, lineIds, lineIds])
  expect((await create()).lineIds).toBeNull()
  for (const wrong of [{ lineIds: [] }, { lineIds: ['line_none'] }, { lineIds, scopes: ['webhooks'] }]) {
    const { status, json } = await call('', { body: wrong })
    expect([status, json.details.issues[0].path]).toEqual([400, '/lineIds'])
  }
})

test('a rotated key works until its grace ends, and its successor has the same scope', async () => {
  const old = await create({ label: 'shop' })
  const { key, former } = (await call(`/${old.apiKey}/rotate`, { body: { graceHours: 1 } })).json
  expect([key.scope, key.label]).toEqual([old.scope, 'shop'])
  expect(Math.round((Date.parse(former.expiresAt) - Date.now()) / hourMs)).toBe(1)
  expect([await works(old.apiKey, old.apiSecret), await works(key.apiKey, key.apiSecret)]).toEqual([200, 200])
  // Elsewhere the predecessor is told from it.
  const { keys } = (await admin.call(`/api/v1/workspaces/${gateway.workspaceId}/message-filters`)).json
  const labelOf = (id: string) => keys.find((listed: { id: string }) => listed.id === id).label
  expect([labelOf(old.apiKey), labelOf(key.apiKey)]).toEqual([
    expect.stringMatching(/^shop \(rotated \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/),
    'shop',
  ])
  const { apiKeys } = (await call('')).json
  const nameOf = (id: string) => apiKeys.find(({ apiKey }: { apiKey: string }) => apiKey === id).name
  expect([nameOf(old.apiKey), nameOf(key.apiKey)]).toEqual([labelOf(old.apiKey), 'shop'])
  await call(`/${key.apiKey}/rotate`, { body: { graceHours: 0 } })
  expect(await works(key.apiKey, key.apiSecret)).toBe(401)
})

test('a revoked key is refused from the next request on, and gets no successor', async () => {
  const key = await create()
  expect(await works(key.apiKey, key.apiSecret)).toBe(200)
  const revoked = await call(`/${key.apiKey}/revoke`, { method: 'POST' })
  expect(revoked.json.revokedAt).toBeString()
  expect(await works(key.apiKey, key.apiSecret)).toBe(401)
  const again = await call(`/${key.apiKey}/rotate`, { body: {} })
  expect([again.status, again.json.error]).toEqual([409, 'CONFLICT'])
})

test('limits of address and time count from the next request on', async () => {
  const key = await create({ allowedNetworks: ['203.0.113.0/24'] })
  expect(await works(key.apiKey, key.apiSecret)).toBe(401)
  const limit = (limits: object) => call(`/${key.apiKey}/limits`, { method: 'PUT', body: limits })
  const expiresAt = '2099-01-01T00:00:00.000Z'
  const opened = await limit({ allowedNetworks: null, expiresAt })
  expect(opened.json).toMatchObject({ allowedNetworks: null, expiresAt })
  expect(await works(key.apiKey, key.apiSecret)).toBe(200)
  for (const [limits, path] of [
    [{ allowedNetworks: ['everywhere'], expiresAt: null }, '/allowedNetworks'],
    [{ allowedNetworks: null, expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    [{ allowedNetworks: null, expiresAt: 'soon' }, '/expiresAt'],
  ] as const) {
    const refused = await limit(limits)
    expect([refused.json.error, refused.json.details.issues[0].path]).toEqual(['VALIDATION_ERROR', path])
  }
})
