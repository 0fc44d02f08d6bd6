import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { WebhookEndpoint } from '../../db/webhooks.ts'
import { findingsOf, type WorkspaceState } from '../../src/console/overview/attention.ts'
import { causesOf, deliveredWithin, numbersByDay, ratesOf } from '../../src/console/overview/numbers.ts'
import { dayOf } from '../../src/message/counts.ts'
import { monthOf } from '../../src/message/plan.ts'
import { channel, line, webhook as newWebhook, t0, template } from '../db/fixtures.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { accept, graphError } from '../upstream.ts'
import { addPerson, type Person } from './people.ts'

setDefaultTimeout(hungAfterMs)

describe('numbers', () => {
  const count = (kind: string, many: number, day = '2026-01-01') => ({ day, kind, count: many })

  test('each day has its row, also an empty one', () => {
    const rows = numbersByDay([count('SENT', 2), count('READ', 1), count('within:5', 1)], ['2026-01-01', '2026-01-02'])
    expect(rows).toEqual([
      { day: '2026-01-01', sent: 2, delivered: 0, read: 1, failed: 0, unknown: 0 },
      { day: '2026-01-02', sent: 0, delivered: 0, read: 0, failed: 0, unknown: 0 },
    ])
  })

  test('what was read was delivered; rates of nothing are none', () => {
    const [day] = numbersByDay(
      [count('SENT', 1), count('DELIVERED', 2), count('READ', 6), count('FAILED', 1)],
      ['2026-01-01'],
    )
    expect(ratesOf(day ? [day] : [])).toMatchObject({ messages: 10, delivered: 8, deliveryRate: 0.8, readRate: 0.75 })
    expect(ratesOf([])).toMatchObject({ messages: 0, deliveryRate: null, readRate: null })
  })

  test('causes are added over the days, most first', () => {
    const counts = [
      count('failed:131026', 1),
      count('failed:', 3),
      count('failed:131026', 5, '2026-01-02'),
      count('failed:x', 0),
    ]
    expect(causesOf(counts)).toEqual([
      { cause: '131026', count: 6 },
      { cause: '', count: 3 },
    ])
  })

  test('the median and the 95th percentile lie within their class', () => {
    const counts = [count('within:2', 50), count('within:10', 45), count('within:3600', 5)]
    expect(deliveredWithin(counts, 0.5)).toBe(2)
    expect(deliveredWithin(counts, 0.95)).toBe(10)
    expect(deliveredWithin(counts, 0.975)).toBe(2_700)
    expect(deliveredWithin([count('within:more', 1)], 0.5)).toBe(Number.POSITIVE_INFINITY)
    expect(deliveredWithin([], 0.5)).toBeNull()
  })
})

describe('what needs attention', () => {
  const key = {
    id: 'pk_1',
    workspaceId: 'ws_1',
    scope: 'pk_1',
    label: null,
    createdAt: t0,
    expiresAt: null,
    revokedAt: null,
    allowedNetworks: null,
    lastUsedAt: null,
  }
  const webhook = (fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
    ...newWebhook(),
    ...{ disabledAt: null, disabledReason: null, failingSince: null, deliveredAt: null, failedAt: null, position: 0 },
    ...fields,
  })
  const receipt = { channelId: 'chan_1', acceptedAt: t0, refusedAt: null, refusal: null }
  const well: WorkspaceState = {
    now: t0,
    channels: [channel()],
    refused: new Set(),
    backlogs: [{ lineId: line().id, waiting: 5, underWay: 1, oldestAt: t0 - 60_000 }],
    receipts: new Map([['chan_1', receipt]]),
    lines: [line()],
    keys: [key],
    templates: [template()],
    webhooks: [webhook()],
    open: { queued: 5, unknown: 0, unknownSince: null, isMore: false },
    plan: { limit: 100, used: 10 },
    updates: new Map(),
    lately: { messages: 100, failed: 9 },
  }
  const dayMs = 86_400_000

  test.each<[what: string, change: Partial<WorkspaceState>, kinds: string[]]>([
    ['nothing, when all is well', {}, []],
    ['nothing without a limit', { plan: { limit: null, used: 1_000 } }, []],
    ['no channel', { channels: [], receipts: new Map() }, ['noChannel']],
    ['no active line', { lines: [line({ active: false })] }, ['noActiveLine']],
    ['two active lines and no default', { lines: [line(), line({ id: 'line_2' })] }, ['noDefaultLine']],
    ['two active lines, one the default', { lines: [line(), { ...line({ id: 'line_2' }), isDefault: true }] }, []],
    ['a token that is refused', { refused: new Set(['chan_1']) }, ['refusedToken']],
    [
      'messages that wait for long',
      { backlogs: [{ lineId: line().id, waiting: 5, underWay: 1, oldestAt: t0 - 301_000 }] },
      ['backlog'],
    ],
    [
      'and none of another workspace',
      { backlogs: [{ lineId: 'line_of_others', waiting: 5, underWay: 1, oldestAt: t0 - 301_000 }] },
      [],
    ],
    ['callbacks that never came', { receipts: new Map() }, ['callbacks']],
    [
      'callbacks that are refused',
      { receipts: new Map([['chan_1', { ...receipt, refusedAt: t0 + 1, refusal: 'wrongSignature' as const }]]) },
      ['callbacks'],
    ],
    ['messages of unknown outcome', { open: { ...well.open, unknown: 1, unknownSince: t0 } }, ['unknownMessages']],
    ['a plan that is nearly used up', { plan: { limit: 100, used: 80 } }, ['planLimit']],
    ['many failures', { lately: { messages: 50, failed: 10 } }, ['manyFailures']],
    ['few failures of few messages are an accident', { lately: { messages: 9, failed: 9 } }, []],
    ['a template that was rejected', { templates: [template({ status: 'REJECTED' })] }, ['templates']],
    [
      'an endpoint that was switched off by a person, and one that fails for a minute',
      {
        webhooks: [
          webhook({ disabledAt: t0, disabledReason: 'switchedOff', failingSince: t0 - 600_001 }),
          webhook({ failingSince: t0 - 60_000 }),
        ],
      },
      [],
    ],
    ['an endpoint that fails for longer', { webhooks: [webhook({ failingSince: t0 - 600_001 })] }, ['webhookFailing']],
    [
      'an endpoint that was switched off',
      { webhooks: [webhook({ disabledAt: t0, disabledReason: 'gone' })] },
      ['webhookOff'],
    ],
    ['no key', { keys: [{ ...key, revokedAt: t0 }] }, ['noKey']],
    ['a key of more than 90 days', { now: t0 + 91 * dayMs, backlogs: [] }, ['oldKeys']],
    [
      'an update of the account',
      { updates: new Map([['chan_1', [{ kind: 'account_update', at: t0, detail: {} }]]]) },
      ['update'],
    ],
    [
      'and none of last year',
      { updates: new Map([['chan_1', [{ kind: 'account_update', at: t0 - 31 * dayMs, detail: {} }]]]) },
      [],
    ],
  ])('%s', (_, change, kinds) => {
    expect(findingsOf({ ...well, ...change }).map(({ kind }) => kind)).toEqual(kinds as never)
  })
})

describe('GET overview and usage', () => {
  let gateway: TestGateway
  let person: Person
  beforeAll(async () => {
    gateway = await startTestGateway()
    person = await addPerson(gateway, 'viewer')
    await gateway.gateway.store.write.setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: 10 })
    const send = () => gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })
    await send()
    await send()
    gateway.upstream.answer = () => graphError(400, { code: 131047, message: 'Re-engagement message' })
    await send()
  })
  afterAll(() => gateway.stop())
  const get = (path: string) => person.call(`/api/v1/workspaces/${gateway.workspaceId}/${path}`)

  test('200: what became of the messages, why they failed, and what to look at', async () => {
    const { status, json } = await get('overview?days=7')
    expect(status).toBe(200)
    expect(json.days).toHaveLength(7)
    expect(json.days.at(-1)).toEqual({ day: dayOf(Date.now()), sent: 2, delivered: 0, read: 0, failed: 1, unknown: 0 })
    expect(json.totals).toMatchObject({ messages: 3, failed: 1, deliveryRate: 0, readRate: null })
    expect(json.timeToDeliver).toEqual({ median: null, p95: null })
    expect(json.plan).toMatchObject({ limit: 10, used: 2, month: monthOf(Date.now()) })
    expect(json.failures).toEqual([
      { code: 131047, reason: '131047', count: 1, meaning: expect.any(String), remedy: expect.any(String) },
    ])
    expect(json.channels).toMatchObject([{ id: gateway.channelId, callbacks: { state: 'none' } }])
    expect(json.attention).toMatchObject([{ kind: 'callbacks', subjects: [gateway.channelId] }])
  })

  test('200: usage by month and day', async () => {
    const { json } = await get('usage')
    expect(json.months).toEqual([{ month: monthOf(Date.now()), used: 2 }])
    expect(json.plan.limit).toBe(10)
    expect(json.days.at(-1)).toEqual({ day: dayOf(Date.now()), messages: 3 })
  })

  test('400 VALIDATION_ERROR: more days than are shown', async () => {
    expect((await get('overview?days=1000')).json.error).toBe('VALIDATION_ERROR')
  })
})

test('a line whose access token is refused is told, until another message goes out or the token is replaced', async () => {
  const gateway = await startTestGateway()
  const person = await addPerson(gateway, 'viewer')
  const { workspaceId, channelId } = gateway
  const { store, credentials } = gateway.gateway
  const send = () => gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })
  const told = async () => {
    const ask = async (path: string) => (await person.call(`/api/v1/workspaces/${workspaceId}/${path}`)).json
    const [overview, lines] = [await ask('overview'), await ask('lines')]
    const kinds = overview.attention.map(({ kind }: { kind: string }) => kind)
    const isRefused = kinds.includes('refusedToken')
    expect([overview.channels[0].isTokenRefused, lines.refusedChannelIds]).toEqual([
      isRefused,
      isRefused ? [channelId] : [],
    ])
    return isRefused
  }
  const refuse = () => graphError(401, { code: 190, message: 'Error validating access token' })
  try {
    gateway.upstream.answer = refuse
    await send()
    expect(await told()).toBe(true)
    gateway.upstream.answer = accept
    await send()
    expect(await told()).toBe(false)
    gateway.upstream.answer = refuse
    await send()
    expect(await told()).toBe(true)
    const sealed = credentials.sealOne(channelId, 'accessToken', 'another')
    await store.write.replaceSecret({ channelId, secret: 'accessToken', sealed, at: Date.now() + 1 })
    expect(await told()).toBe(false)
  } finally {
    await gateway.stop()
  }
})
