import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { type Answer, startTestGateway, type TestGateway } from '../gateway.ts'
import { addPerson, call, type Person, password } from './people.ts'

let shared: TestGateway
/** With a workspace of the test. */
let gateway: TestGateway
let owner: Person
let admin: Person
let path: string
beforeAll(async () => {
  shared = await startTestGateway()
})
afterAll(() => shared.stop())
beforeEach(async () => {
  gateway = { ...shared, ...(await shared.addWorkspace()) }
  owner = await addPerson(gateway, 'owner')
  admin = await addPerson(gateway, 'admin')
  path = `/api/v1/workspaces/${gateway.workspaceId}`
})

const shown = ({ status, json }: Answer) => `${status} ${json?.error ?? 'OK'}`
const invite = async (by: Person, email: string, to = path): Promise<string> =>
  (await by.call(`${to}/invitations`, { body: { email, role: 'admin' } })).json.link.split('#')[1]

describe('the audit', () => {
  test('200: shows what was done in the workspace, by whom, page by page, and nothing of other workspaces', async () => {
    const other = await gateway.addWorkspace()
    const stranger = await addPerson(gateway, 'owner', other.workspaceId)
    await invite(stranger, 'x@example.com', `/api/v1/workspaces/${other.workspaceId}`)
    await invite(admin, `${gateway.workspaceId}@example.com`)
    await owner.call(`${path}/members/${admin.id}`, { method: 'PATCH', body: { role: 'viewer' } })
    const byCommand = gateway.gateway.store.writeAs({ actor: 'cli:root' })
    await byCommand.setDefaultLine({ lineId: gateway.line.id, isDefault: true })
    const { json } = await owner.call(`${path}/audit`)
    expect(json.next).toBeNull()
    expect(json.entries.map(({ by, action }: Record<string, string>) => [by, action])).toEqual([
      ['cli:root', 'line.default'],
      [`console:${owner.email}`, 'member.make-viewer'],
      [`console:${admin.email}`, 'member.invite'],
      [`console:${admin.email}`, 'session.start'],
      [`console:${owner.email}`, 'session.start'],
    ])
    expect(json.entries[0].subject).toBe(gateway.line.id)
    const first = await owner.call(`${path}/audit?limit=2`)
    expect(first.json.entries).toHaveLength(2)
    const second = await owner.call(`${path}/audit?limit=2&after=${first.json.next}`)
    expect(second.json.entries[0].action).toBe('member.invite')
    const count = async (query: string) => (await owner.call(`${path}/audit?${query}`)).json.entries.length
    expect(await count(`by=${encodeURIComponent(`console:${admin.email}`)}&action=member`)).toBe(1)
    expect([await count('by=cli'), await count('by=console')]).toEqual([1, 4])
    expect(await count(`since=${Date.parse('0002-11-23')}&until=${Date.parse('0002-11-24')}`)).toBe(0)
    expect(shown(await owner.call(`${path}/audit?limit=1000`))).toBe('400 VALIDATION_ERROR')
  })

  test('200: has old and new values of what is never a secret', async () => {
    const change = (to: string, body: object, method = 'PATCH') => owner.call(`${path}/${to}`, { method, body })
    const { perSecond } = gateway.line
    await change(`lines/${gateway.line.id}`, { perSecond: 5 })
    await change(`lines/${gateway.line.id}`, { perSecond: 5 })
    for (const directSend of [true, false]) await change(`lines/${gateway.line.id}`, { directSend })
    // Of one change of several, the name hides not that nothing is sent any more.
    await change(`lines/${gateway.line.id}`, { active: false, label: 'Berlin' })
    await change(`lines/${gateway.line.id}`, { active: true, label: null })
    await change('settings/monthly-limit', { monthlyMessageLimit: 900 }, 'PUT')
    await change(`members/${admin.id}`, { role: 'viewer' })
    const { entries } = (await owner.call(`${path}/audit`)).json
    const changes = Object.groupBy(entries as { action: string; changes: object[] }[], ({ action }) => action)
    const of = (action: string) => changes[action]?.map(({ changes }) => changes)
    expect(of('line.set-rate')).toEqual([[], [{ field: 'perSecond', from: perSecond, to: 5 }]])
    expect([of('line.allow-direct-send')?.length, of('line.forbid-direct-send')?.length]).toEqual([1, 1])
    expect(of('line.deactivate')).toEqual([[{ field: 'label', from: null, to: 'Berlin' }]])
    expect(of('workspace.set-limit')).toEqual([[{ field: 'monthlyMessageLimit', from: null, to: 900 }]])
    expect(of('member.make-viewer')).toEqual([[{ field: 'role', from: 'admin', to: 'viewer' }]])
    expect(of('session.start')).toContainEqual([])
  })

  test('200: names what was changed as people call it, and what it was called once it is removed', async () => {
    const email = `${gateway.workspaceId}@example.com`
    const { apiKey } = (await admin.call(`${path}/api-keys`, { body: { label: 'Production' } })).json
    await admin.call(`${path}/lines/${gateway.line.id}`, { method: 'PATCH', body: { perSecond: 5 } })
    const hook = await admin.call(`${path}/webhooks`, {
      body: { url: 'https://shop.example/hook', description: 'Shop' },
    })
    const token = await invite(admin, email)
    const names = async () => {
      const { entries } = (await owner.call(`${path}/audit`)).json
      const found = entries.map(({ action, name }: Record<string, string>) => [action, name])
      return Object.fromEntries(found.filter(([action]: [string]) => !action.startsWith('session.')))
    }
    expect(hook.status).toBe(200)
    expect(await names()).toEqual({
      'key.create': 'Production',
      'line.set-rate': gateway.line.number,
      'webhook.add': 'Shop',
      'member.invite': email,
    })
    expect((await admin.call(`${path}/webhooks/${hook.json.id}`, { method: 'DELETE' })).status).toBe(200)
    await call(gateway, '/api/v1/auth/invitations/accept', { body: { token, password, name: 'Grace' } })
    await owner.call(`${path}/api-keys/${apiKey}/revoke`, { body: {} })
    expect(await names()).toEqual({
      'key.create': 'Production',
      'key.revoke': 'Production',
      'line.set-rate': gateway.line.number,
      'webhook.add': 'Shop',
      'webhook.remove': 'Shop',
      'member.invite': email,
      'member.join': 'Grace',
    })
    const { entries } = (await owner.call(`${path}/audit`)).json
    const gone = entries.filter(({ isThere }: { isThere: boolean }) => !isThere)
    expect(gone.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      ...['member.invite', 'webhook.add', 'webhook.remove'],
    ])
    const open = await invite(admin, `other-${email}`)
    const { invitations } = (await owner.call(`${path}/invitations`)).json
    expect(open).toBeString()
    await owner.call(`${path}/invitations/${invitations[0].id}`, { method: 'DELETE' })
    await owner.call(`${path}/members/${admin.id}`, { method: 'DELETE' })
    expect(await names()).toMatchObject({
      'member.withdraw-invitation': `other-${email}`,
      'member.remove': admin.email,
    })
  })

  test('200: a line keeps its number, and an account its id, after both are removed', async () => {
    await owner.call(`${path}/lines/${gateway.line.id}`, { method: 'PATCH', body: { label: 'Berlin' } })
    const { channelId, number } = gateway.line
    const account = (await gateway.gateway.store.read.channel(channelId))?.accountId
    expect((await owner.call(`${path}/channels/${channelId}`, { method: 'DELETE' })).status).toBe(200)
    const { entries } = (await owner.call(`${path}/audit?by=${encodeURIComponent(`console:${owner.email}`)}`)).json
    expect(entries).toMatchObject([
      { action: 'channel.disconnect', name: account ?? 'none', isThere: false },
      { action: 'line.label', name: `${number} · Berlin`, isThere: false },
      { action: 'session.start', isThere: true },
    ])
  })

  test('a sign-in is shown in each workspace of the user', async () => {
    const other = await gateway.addWorkspace()
    const stranger = await addPerson(gateway, 'owner', other.workspaceId)
    const token = await invite(owner, stranger.email)
    await stranger.call('/api/v1/auth/invitations/join', { body: { token } })
    await call(gateway, '/api/v1/auth/login', { body: { email: stranger.email, password } })
    for (const workspaceId of [gateway.workspaceId, other.workspaceId]) {
      const { json } = await stranger.call(`/api/v1/workspaces/${workspaceId}/audit?limit=1`)
      expect(json.entries).toMatchObject([{ action: 'session.start', subject: stranger.id }])
    }
  })
})

interface AuditWords {
  readonly sentences: Readonly<Record<string, string>>
  readonly subjects: object
  readonly kinds: object
}

test('each sentence names only subjects that have words, and each action belongs to a kind', async () => {
  // Not by a static import: browser code is type-checked by itself, where an action without a sentence is an error.
  const file = resolve(import.meta.dir, '../../src/console/web/texts/en/audit.ts')
  const { sentences, subjects, kinds } = ((await import(file)) as { audit: AuditWords }).audit
  const named = Object.values(sentences).flatMap(sentence =>
    [...sentence.matchAll(/\{(\w+)\}/g)].map(([, noun]) => noun),
  )
  expect(named.filter(noun => !Object.hasOwn(subjects, noun ?? ''))).toEqual([])
  expect(Object.keys(subjects).filter(noun => !named.includes(noun))).toEqual([])
  expect([...new Set(Object.keys(sentences).map(action => action.split('.')[0]))].toSorted()).toEqual(
    Object.keys(kinds).toSorted(),
  )
})
