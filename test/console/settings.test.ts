import { beforeAll, describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { addPerson, type Person } from './people.ts'

let owner: Person
const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  owner = await addPerson(gateway, 'owner')
})

const put = (what: string, body: unknown) =>
  owner.call(`/api/v1/workspaces/${gateway.workspaceId}/settings/${what}`, { method: 'PUT', body })
const lastEntry = async () => (await gateway.gateway.store.read.auditEntries({ limit: 1 }))[0]

describe('PUT settings/name', () => {
  test('200: the workspace has the new name, also for its members, and the audit names who gave it', async () => {
    const { status, json } = await put('name', { name: '  Acme Ltd ' })
    expect([status, json.name]).toEqual([200, 'Acme Ltd'])
    expect((await owner.call('/api/v1/auth/me')).json.workspaces).toMatchObject([{ name: 'Acme Ltd' }])
    expect(await lastEntry()).toMatchObject({ action: 'workspace.rename', actor: `console:${owner.email}` })
  })

  test('400 VALIDATION_ERROR: a blank name', async () => {
    expect((await put('name', { name: ' ' })).json.details.issues).toMatchObject([{ path: '/name' }])
  })
})

describe('PUT settings/monthly-limit', () => {
  test('200: it counts from the next send on, and null takes it away', async () => {
    expect((await put('monthly-limit', { monthlyMessageLimit: 0 })).json.monthlyMessageLimit).toBe(0)
    expect(await lastEntry()).toMatchObject({ action: 'workspace.set-limit', actor: `console:${owner.email}` })
    const send = { type: 'text', phone: '+4915112345678', content: 'Hello' }
    expect((await gateway.send(send)).json.error).toBe('PLAN_LIMIT_EXCEEDED')
    expect((await put('monthly-limit', { monthlyMessageLimit: null })).status).toBe(200)
    expect((await gateway.send(send)).status).toBe(201)
  })

  test('400 VALIDATION_ERROR: more than the operator allows, or no limit; less is taken', async () => {
    const { write } = gateway.gateway.store
    await write.setMonthlyCeiling({ workspaceId: gateway.workspaceId, ceiling: 5_000 })
    for (const monthlyMessageLimit of [5_001, null]) {
      expect((await put('monthly-limit', { monthlyMessageLimit })).json.details.issues).toEqual([
        { path: '/monthlyMessageLimit', message: 'The operator allows 5000 messages a month at most.' },
      ])
    }
    const { json } = await put('monthly-limit', { monthlyMessageLimit: 10 })
    expect(json).toMatchObject({ monthlyMessageLimit: 10, monthlyCeiling: 5_000 })
    await write.setMonthlyCeiling({ workspaceId: gateway.workspaceId, ceiling: null })
    await put('monthly-limit', { monthlyMessageLimit: null })
  })

  test.each([-1, 1.5, 1_000_000_001, '5'])('400 VALIDATION_ERROR: %p', async monthlyMessageLimit => {
    expect((await put('monthly-limit', { monthlyMessageLimit })).status).toBe(400)
  })
})

describe('PUT settings/rates', () => {
  const head = 'country,category,price,currency\n'
  const kept = async () => (await owner.call(`/api/v1/workspaces/${gateway.workspaceId}/settings`)).json.rates

  test('200: a file is kept until another replaces it or it is removed, and the audit names who gave it', async () => {
    expect((await put('rates', { file: `${head}DE,utility,0.05,EUR\n*,utility,0.01,USD` })).json).toEqual({ count: 2 })
    expect(await kept()).toMatchObject({ count: 2, currencies: ['EUR', 'USD'] })
    expect(await lastEntry()).toMatchObject({ action: 'workspace.set-rates', actor: `console:${owner.email}` })
    expect((await put('rates', { file: null })).status).toBe(200)
    expect(await kept()).toBeNull()
    expect(await lastEntry()).toMatchObject({ action: 'workspace.remove-rates' })
  })

  test('400 VALIDATION_ERROR: what the command refuses, in its words; those of before stay', async () => {
    await put('rates', { file: `${head}DE,utility,0.05,EUR` })
    expect((await put('rates', { file: `${head}Germany,utility,1,EUR` })).json.details.issues).toMatchObject([
      { path: '/file', message: expect.stringContaining('row 2: the country must have two letters') },
    ])
    expect(await kept()).toMatchObject({ count: 1 })
  })
})

describe('PUT settings/quiet-hours', () => {
  const nights = {
    ...{ from: '20:00', to: '08:00', days: [1, 2, 3, 4, 5], timeZone: 'Europe/Berlin' },
    categories: ['MARKETING'],
  }

  test('200: sets them, or none; the audit names who did', async () => {
    expect((await put('quiet-hours', { quietHours: nights })).json).toMatchObject({ quietHours: nights })
    expect((await put('quiet-hours', { quietHours: null })).json).toMatchObject({ quietHours: null })
    expect(await lastEntry()).toMatchObject({
      ...{ action: 'workspace.set-quiet-hours', actor: `console:${owner.email}` },
      changes: { quietHours: [expect.stringContaining('"from":"20:00"'), null] },
    })
  })

  test.each([
    [{ from: '24:00' }, '/quietHours/from'],
    [{ to: '8:00' }, '/quietHours/to'],
    [{ days: [] }, '/quietHours/days'],
    [{ days: [0] }, '/quietHours/days/0'],
    [{ from: '08:00', days: [1, 2, 3, 4, 5, 6, 7] }, '/quietHours/days'],
    [{ timeZone: 'Mars/Base' }, '/quietHours/timeZone'],
    [{ categories: ['AUTHENTICATION'] }, '/quietHours/categories/0'],
  ])('400 VALIDATION_ERROR: %p', async (change, path) => {
    const { status, json } = await put('quiet-hours', { quietHours: { ...nights, ...change } })
    expect([status, json.details.issues[0].path]).toEqual([400, path])
  })
})

describe('PUT settings/opt-outs', () => {
  test('200: changes what is given; the audit names who did, with the values of before', async () => {
    const { status, json } = await put('opt-outs', { stopWords: ['Basta', ' BASTA. '], optOutAnswer: 'Bye' })
    expect([status, json]).toMatchObject([200, { onOptOut: 'refuse', stopWords: ['Basta'], optOutAnswer: 'Bye' }])
    expect((await put('opt-outs', { onOptOut: 'send' })).json).toMatchObject({ onOptOut: 'send', stopWords: ['Basta'] })
    const usual = { onOptOut: 'refuse', stopWords: null, startWords: null, optOutAnswer: null }
    expect((await put('opt-outs', usual)).json).toMatchObject(usual)
    expect((await put('opt-outs', {})).json).toMatchObject(usual)
    expect(await lastEntry()).toMatchObject({
      ...{ action: 'workspace.set-opt-outs', actor: `console:${owner.email}` },
      changes: { onOptOut: ['send', 'refuse'], stopWords: ['Basta', null], optOutAnswer: ['Bye', null] },
    })
  })

  test.each([
    [{ onOptOut: 'ask' }, '/onOptOut'],
    [{ stopWords: ['  ...'] }, '/stopWords'],
    [{ stopWords: ['x'.repeat(41)] }, '/stopWords/0'],
    [{ startWords: ['Stop!'] }, '/startWords'],
    [{ stopWords: ['start'] }, '/startWords'],
    [{ optOutAnswer: ' ' }, '/optOutAnswer'],
  ])('400 VALIDATION_ERROR: %p', async (body, path) => {
    const { status, json } = await put('opt-outs', body)
    expect([status, json.details.issues[0].path]).toEqual([400, path])
  })
})

describe('PUT settings/deleted-messages', () => {
  test('200: it is told by the settings, and the audit names who chose it', async () => {
    expect((await put('deleted-messages', { deletedMessages: 'hide' })).json.deletedMessages).toBe('hide')
    const settings = await owner.call(`/api/v1/workspaces/${gateway.workspaceId}/settings`)
    expect(settings.json.workspace.deletedMessages).toBe('hide')
    expect(await lastEntry()).toMatchObject({
      ...{ action: 'workspace.set-deleted', actor: `console:${owner.email}` },
      changes: { deletedMessages: ['keep', 'hide'] },
    })
  })

  test('400 VALIDATION_ERROR: another word', async () => {
    expect((await put('deleted-messages', { deletedMessages: 'erase' })).status).toBe(400)
  })
})
