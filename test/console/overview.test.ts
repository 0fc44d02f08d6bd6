import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { putAwayMsMax } from '../../db/contract/accounts.ts'
import type { Message } from '../../db/contract/records.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import { type LastUpgrade, upgradeName } from '../../db/migrations.ts'
import { noBackups } from '../../src/backup/status.ts'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import { findingId, findingsOf, type KnownBackups, type WorkspaceState } from '../../src/doctor/attention.ts'
import { dayOf } from '../../src/message/counts.ts'
import { causesOf, deliveredWithin, numbersByDay, ratesOf } from '../../src/message/dayNumbers.ts'
import { limitReachedAt, monthOf } from '../../src/message/plan.ts'
import { readPricing } from '../../src/message/pricing.ts'
import { eventless, statusOf } from '../../src/message/state.ts'
import { lineHealth } from '../../src/operations/channels/lineHealth.ts'
import { statusReason } from '../../src/templates/reason.ts'
import { callbackUrl } from '../callbacks/report.ts'
import { ManualClock } from '../clock.ts'
import { channel, draft, line, webhook as newWebhook, t0, template } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { accept, callbackOf, graphError, postCallback } from '../upstream.ts'
import { addPerson, type Person } from './people.ts'

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
    scopes: null,
    lineIds: null,
    onOptOut: null,
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
    refused: new Map(),
    stopped: [],
    backlogs: [{ lineId: line().id, waiting: 5, underWay: 1, oldestAt: t0 - 60_000 }],
    receipts: new Map([['chan_1', receipt]]),
    lines: [line()],
    health: new Map([[line().id, { state: 'works', sent: 40, failed: 2, cause: '131026', deliveredAt: t0 }]]),
    keys: [key],
    templates: [template()],
    pauses: new Map(),
    webhooks: [webhook()],
    pausedBatches: [],
    open: { queued: 5, unknown: 0, unknownSince: null, isMore: false },
    plan: { limit: 100, used: 10, reachedAt: null, isCeiling: false },
    updates: new Map(),
    lately: { messages: 100, failed: 9 },
    backups: null,
  }

  const failing = (failed: number, sent: number): WorkspaceState['health'] =>
    new Map([[line().id, { state: 'fails', sent, failed, cause: '131026', deliveredAt: null }]])
  /** A key with its successor. */
  const rotated = (lastUsedAt: number) => [
    { ...key, createdAt: t0 - 9, expiresAt: t0 + dayMs, lastUsedAt },
    { ...key, id: 'pk_2', createdAt: t0 - 1 },
  ]

  test.each<[what: string, change: Partial<WorkspaceState>, kinds: string[]]>([
    ['nothing, when all is well', {}, []],
    ['nothing without a limit', { plan: { limit: null, used: 1_000, reachedAt: null, isCeiling: false } }, []],
    ['no channel', { channels: [], receipts: new Map() }, ['noChannel']],
    ['no active line', { lines: [line({ active: false })] }, ['noActiveLine']],
    ['two active lines and no default', { lines: [line(), line({ id: 'line_2' })] }, ['noDefaultLine']],
    ['two active lines, one the default', { lines: [line(), { ...line({ id: 'line_2' }), isDefault: true }] }, []],
    ['an account that is locked', { stopped: [{ channelId: 'chan_1', code: 131031, since: t0 }] }, ['stoppedLine']],
    ['a token that is refused', { refused: new Map([['chan_1', t0]]) }, ['refusedToken']],
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
    [
      'a plan that is nearly used up',
      { plan: { limit: 100, used: 80, reachedAt: null, isCeiling: false } },
      ['planLimit'],
    ],
    [
      'a plan that is used up',
      { plan: { limit: 100, used: 100, reachedAt: null, isCeiling: false } },
      ['limitReached'],
    ],
    ['a line that failed 6 of 6', { health: failing(6, 6) }, ['failingLine']],
    ['and none after one failure, or where the account is told', { health: failing(1, 1) }, []],
    [
      'the account of a line that fails',
      { health: failing(6, 6), refused: new Map([['chan_1', t0]]) },
      ['refusedToken'],
    ],
    [
      'a batch that has paused itself',
      { pausedBatches: [{ id: 'batch_1', name: null, reason: { code: 'line', message: 'It is blocked.' } }] },
      ['pausedBatch'],
    ],
    ['many failures', { lately: { messages: 50, failed: 10 } }, ['manyFailures']],
    ['few failures of few messages are an accident', { lately: { messages: 9, failed: 9 } }, []],
    ['a number of a low quality', { lines: [line({ quality: 'RED' })] }, ['lowQuality']],
    ['and none of a middling one', { lines: [line({ quality: 'YELLOW' })] }, []],
    ['a template that is paused', { templates: [template({ status: 'PAUSED' })] }, ['pausedTemplate']],
    ['a template that was rejected', { templates: [template({ status: 'REJECTED' })] }, ['template']],
    [
      'none that was switched off by a person',
      { webhooks: [webhook({ disabledAt: t0, disabledReason: 'switchedOff', failingSince: t0 - 600_001 })] },
      [],
    ],
    [
      'an endpoint that fails, as the list of endpoints says',
      { webhooks: [webhook({ failingSince: t0 })] },
      ['webhookFailing'],
    ],
    [
      'an endpoint that was switched off',
      { webhooks: [webhook({ disabledAt: t0, disabledReason: 'gone' })] },
      ['webhookOff'],
    ],
    ['no key', { keys: [{ ...key, revokedAt: t0 }] }, ['noKey']],
    ['a key whose lines were all removed', { keys: [{ ...key, lineIds: ['line_gone'] }] }, ['keyWithoutLine']],
    [
      'and none of a revoked one, or of one with a line',
      { keys: [key, { ...key, lineIds: ['line_gone', line().id] }, { ...key, lineIds: ['line_gone'], revokedAt: t0 }] },
      [],
    ],
    ['a key that ends within 14 days', { keys: [{ ...key, expiresAt: t0 + 14 * dayMs }] }, ['endingKey']],
    ['and none of one that ends later', { keys: [{ ...key, expiresAt: t0 + 14 * dayMs + 1 }] }, []],
    ['a rotated key that is not used any more', { keys: rotated(t0 - 2) }, []],
    ['a rotated key that callers still use', { keys: rotated(t0) }, ['endingKey']],
    ['a key of more than 90 days', { now: t0 + 91 * dayMs, backlogs: [] }, ['oldKeys']],
    [
      'an update of the account',
      { updates: new Map([['chan_1', [{ kind: 'account_update', at: t0, detail: {} }]]]) },
      ['update'],
    ],
    [
      'and none of last year',
      {
        updates: new Map([
          ['chan_1', [{ kind: 'account_update', at: t0 - 31 * dayMs, detail: {} }]],
          ['line_1', ['calls connect', 'standby'].map(kind => ({ kind, at: t0, detail: {} }))],
        ]),
      },
      [],
    ],
  ])('%s', (_, change, kinds) => {
    expect(findingsOf({ ...well, ...change }).map(({ kind }) => kind)).toEqual(kinds as never)
  })

  const end = 1_780_604_800
  test.each<[what: string, expiration: unknown, until: string | null]>([
    ['a number of seconds', end, new Date(end * 1000).toISOString()],
    ['a text of seconds', String(end), new Date(end * 1000).toISOString()],
    ['a number of milliseconds', end * 1000, new Date(end * 1000).toISOString()],
    ['a text of milliseconds', String(end * 1000), new Date(end * 1000).toISOString()],
    ['a date', '2026-06-04T20:26:40Z', new Date(end * 1000).toISOString()],
    ['nothing', undefined, null],
    ['a word', 'soon', null],
  ])('a restriction stands first, with what and until: %s', (_, expiration, until) => {
    const at = end * 1000 - dayMs
    const restriction_info = [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration }]
    const updates = new Map([
      ['chan_1', [{ kind: 'account_update ACCOUNT_RESTRICTION', at, detail: { restriction_info } }]],
    ])
    const state = { ...well, now: at, backlogs: [], updates, refused: new Map([['chan_1', t0]]) }
    const [first] = findingsOf(state)
    expect(first).toMatchObject({
      kind: 'restricted',
      severity: 'bad',
      what: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
      until,
    })
    const later = findingsOf({ ...state, now: end * 1000 }).map(({ kind }) => kind)
    expect(later.includes('restricted')).toBe(until === null)
    expect(later).not.toContain('update')
  })

  test('an account that is to be disabled is restricted, and nothing is told twice', () => {
    const detail = { ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: '2026-12-24' } }
    const updates = new Map([['chan_1', [{ kind: 'account_update DISABLED_UPDATE', at: t0, detail }]]])
    const found = findingsOf({ ...well, updates })
    expect(found).toMatchObject([{ kind: 'restricted', what: 'SCHEDULE_FOR_DISABLE 2026-12-24', until: null }])
  })

  test('a flagged number is a warning until the platform takes the flag back, and no update beside', () => {
    const flagged = (event: string, at = t0) => {
      const update = { kind: 'phone_number_quality_update', at, detail: { event, current_limit: 'TIER_1K' } }
      return findingsOf({ ...well, updates: new Map([[line().id, [update]]]) })
    }
    expect(flagged('FLAGGED')).toMatchObject([
      { kind: 'lowQuality', severity: 'warning', subjects: ['chan_1', line().number], what: 'FLAGGED' },
    ])
    expect(flagged('UNFLAGGED').map(({ kind }) => kind)).toEqual(['update'])
    expect(flagged('FLAGGED', t0 - 31 * dayMs)).toEqual([])
  })

  test('a paused template says why, since when, and until when where the platform tells it', () => {
    const paused = template({ status: 'PAUSED', lastUpdateAt: t0 - hourMs })
    const found = (reason: string, now = t0) => {
      const detail = { event: 'PAUSED', other_info: { title: reason } }
      const told = statusReason(paused, [{ kind: 'message_template_status_update', at: t0 - hourMs, detail }])
      const pauses = new Map(told && [[paused.id, told]])
      return findingsOf({ ...well, now, backlogs: [], templates: [paused], pauses })[0]
    }
    const since = new Date(t0 - hourMs).toISOString()
    const until = new Date(t0 + 2 * hourMs).toISOString()
    expect(found('FIRST_PAUSE')).toMatchObject({ severity: 'note', what: 'FIRST_PAUSE', since, until })
    expect(found('FIRST_PAUSE', t0 + 2 * hourMs)).toMatchObject({ since, until: null })
    expect(found('SECOND_PAUSE')?.until).toBe(new Date(t0 + 5 * hourMs).toISOString())
    expect(found('A_WORD_OF_TOMORROW')).toMatchObject({ what: 'A_WORD_OF_TOMORROW', until: null })
  })

  test('one thing is found once: two lines of one channel name it once, and a ban is no update beside', () => {
    const updates = new Map([['chan_1', [{ kind: 'account_update DISABLED_UPDATE', at: t0 - 1, detail: {} }]]])
    const stopped = [{ channelId: 'chan_1', code: null, since: t0 - 1 }]
    const found = findingsOf({ ...well, lines: [line(), line({ id: 'line_2' })], updates, stopped })
    expect(found.map(({ kind, subjects: [channelId, ...rest] }) => [kind, channelId, rest.length])).toEqual([
      ['stoppedLine', 'chan_1', 1],
      ['noDefaultLine', 'chan_1', 0],
    ])
  })

  const made = { at: t0 - 2 * dayMs, file: 'a.db', bytes: 1, messages: 1, seconds: 1 }
  const status = { ...noBackups, lastBackup: made }
  const failure = { since: t0 - 1, at: t0, reason: 'the disk is full' }
  const due = { make: t0 - hourMs, upload: null }
  test.each<[what: string, backups: Omit<KnownBackups, 'areMade'> & Partial<KnownBackups>, found: object | undefined]>([
    ['in time', { status, due }, undefined],
    ['late', { status, due: { ...due, make: t0 - 3_600_001 } }, { kind: 'lateBackup', what: null }],
    ['failed', { status: { ...status, makeFailure: failure }, due }, { kind: 'lateBackup', what: 'the disk is full' }],
    [
      'made, and not uploaded',
      { status: { ...status, uploadFailure: failure }, due },
      { kind: 'lateUpload', what: 'the disk is full', since: new Date(t0 - 1).toISOString() },
    ],
    [
      'made, and the upload takes too long',
      { status, due: { ...due, upload: t0 - 3_600_001 } },
      { kind: 'lateUpload', what: null },
    ],
    ['none yet', { status: noBackups, due: { make: null, upload: null } }, undefined],
    [
      'none at all',
      { status: noBackups, due: { make: null, upload: null }, areMade: false },
      { kind: 'noBackups', severity: 'warning' },
    ],
  ])('backups: %s', (_, backups, found) => {
    const [first] = findingsOf({ ...well, backups: { areMade: true, ...backups } })
    if (found === undefined) expect(first).toBeUndefined()
    else expect(first).toMatchObject(found)
  })

  test('a finding is the same one while its numbers grow, and another one when it happens anew', () => {
    const [found] = findingsOf({ ...well, channels: [] })
    if (!found) throw new Error('nothing was found')
    expect(findingId({ ...found, count: 5 })).toBe(findingId(found))
    expect(findingId({ ...found, since: new Date(t0).toISOString() })).not.toBe(findingId(found))
  })

  test('what does most harm comes first; of one kind what has been so for longest, and last what has no time', () => {
    const found = findingsOf({
      ...well,
      refused: new Map([['chan_1', t0 - 5_000]]),
      stopped: [{ channelId: 'chan_1', code: 131031, since: t0 - 1 }],
      webhooks: [webhook({ disabledAt: t0 - 9_000, disabledReason: 'gone' })],
      plan: { limit: 100, used: 90, reachedAt: t0 + dayMs, isCeiling: false },
      templates: Array.from({ length: 7 }, (_, n) => template({ id: `tpl_${n}`, status: 'PAUSED', updatedAt: t0 - n })),
      open: { ...well.open, unknown: 1, unknownSince: t0 - 9 * dayMs },
    })
    const ageOf = (since: string | null) => (since === null ? 'ever' : `${t0 - Date.parse(since)} ms`)
    const shown = found.map(({ severity, kind, since, count }) => `${severity} ${kind} ${ageOf(since)} ${count}`)
    expect(shown).toEqual([
      'bad stoppedLine 1 ms null',
      'warning planLimit ever 90',
      'bad refusedToken 5000 ms 1',
      'bad webhookOff 9000 ms null',
      'note unknownMessages 777600000 ms 1',
      ...[2, 1, 0].map(ms => `note pausedTemplate ${ms} ms null`),
      'note template ever 4',
    ])
  })
})

describe('when the monthly limit is reached', () => {
  const now = Date.UTC(2026, 10, 23, 12)
  const days = (...sent: number[]) =>
    sent.map((count, n) => ({ day: `${n}`, sent: count, delivered: 0, read: 0, failed: 99, unknown: 0 }))
  const plan = { limit: 1_000, used: 800 }

  test.each<[what: string, plan: { limit: number | null; used: number }, sent: number[], inDays: number | null]>([
    ['at the pace of the last week, without today', plan, [9_999, 40, 40, 40, 40, 40, 40, 40, 9_999], 5],
    ['also of a week with quiet days', plan, [0, 100, 0, 100, 0, 80, 0, 0], 5],
    ['not this month', plan, [20, 20, 20, 20, 20, 20, 20, 0], null],
    ['nobody can say after two days', plan, [0, 0, 0, 0, 0, 90, 90, 90], null],
    ['it is reached', { limit: 1_000, used: 1_000 }, [90, 90, 90, 90, 90, 90, 90, 0], null],
    ['there is none', { limit: null, used: 1_000 }, [90, 90, 90, 90, 90, 90, 90, 0], null],
  ])('%s', (_, plan, sent, inDays) => {
    const at = limitReachedAt(plan, days(...sent), now)
    expect(at === null ? null : (at - now) / dayMs).toBe(inDays)
  })
})

describe('what the last sends of a line met', () => {
  const channels = [channel({ updatedAt: t0 })]
  const failure = (gaveUpReason: string, gaveUpAt = t0 + 1_000): Partial<Message> => ({ gaveUpReason, gaveUpAt })
  const dead = failure('190: Error validating access token')
  const noPhone = failure('131026: Message undeliverable')
  const good: Partial<Message> = { acceptedAt: t0, deliveredAt: t0 + 5_000 }
  const old: Partial<Message> = { createdAt: t0 - 8 * dayMs }
  const health = (...messages: readonly Partial<Message>[]) => {
    const stored = messages.map((fields, n) => {
      const { idempotency, opensFlow, closesFlows, payload, ...of } = draft({ id: `msg_${n}` })
      const message = { ...of, ...eventless, idempotencyKey: null, ...fields }
      return { ...message, status: statusOf(message) }
    })
    return lineHealth(line(), stored, channels, t0 + 60_000)
  }
  const times = (count: number, fields: Partial<Message>) => Array.from({ length: count }, () => fields)

  test.each<[what: string, messages: readonly Partial<Message>[], expected: object]>([
    ['nothing', [], { state: 'quiet', sent: 0, failed: 0, cause: null, deliveredAt: null }],
    ['nothing this week', [{ ...good, ...old }], { state: 'quiet', sent: 0 }],
    ['what waits says nothing', [{}, {}], { state: 'quiet', sent: 0 }],
    ['all were delivered', times(3, good), { state: 'works', sent: 3, deliveredAt: t0 + 5_000 }],
    ['two numbers of three do not exist', [good, noPhone, noPhone], { state: 'works', sent: 3, failed: 2 }],
    ['three of twenty', [...times(17, good), ...times(3, noPhone)], { state: 'works', sent: 20, failed: 3 }],
    ['a fifth', [...times(12, good), ...times(2, noPhone), dead], { state: 'fails', sent: 15, failed: 3 }],
    ['all of its only ones', [noPhone], { state: 'fails', sent: 1, failed: 1, cause: '131026' }],
    ['its token is refused now', [dead, ...times(39, good)], { state: 'fails', failed: 1, cause: '190' }],
    ['its token was replaced', [...times(2, failure('190: x', t0)), good], { state: 'works', sent: 1, failed: 0 }],
    ['beyond its last 40', [...times(40, good), ...times(40, noPhone)], { state: 'works', sent: 40, failed: 0 }],
  ])('%s', (_, messages, expected) => {
    expect(health(...messages)).toMatchObject(expected)
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
    expect(json.attention).toMatchObject([{ kind: 'callbacks', subjects: [gateway.channelId, expect.any(String)] }])
  })

  test('200: for a week owners are told from what to what the gateway was upgraded, and where the copy lies', async () => {
    const owner = await addPerson(gateway, 'owner')
    const upgrade = { from: '0.1.0', to: '0.2.0', at: Date.now() - 6 * dayMs, copy: `${gateway.dataDir}/0.1.0.db` }
    const store = (value: LastUpgrade) =>
      gateway.gateway.store.write.putProperty({ name: upgradeName, value: JSON.stringify(value) })
    const path = `/api/v1/workspaces/${gateway.workspaceId}/overview`
    const upgraded = async (by: Person) =>
      (await by.call(path)).json.attention.filter(({ kind }: { kind: string }) => kind === 'upgraded')
    await store(upgrade)
    const what = expect.stringMatching(
      /^upgraded from 0.1.0 to 0.2.0 at .*; the database of before is DATA_DIR.0.1.0.db$/,
    )
    expect(await upgraded(owner)).toMatchObject([{ severity: 'note', what, putAway: null }])
    expect(await upgraded(person)).toEqual([])
    await store({ ...upgrade, at: Date.now() - 8 * dayMs })
    expect(await upgraded(owner)).toEqual([])
  })

  test('200: what is put away has a name and a date, until it is brought back or happens anew', async () => {
    const member = await addPerson(gateway, 'member')
    const path = `/api/v1/workspaces/${gateway.workspaceId}/attention`
    const first = async () => (await get('overview')).json.attention[0]
    const { id, putAway } = await first()
    expect(putAway).toBeNull()
    const put = (isAway: boolean) => member.call(path, { method: 'PUT', body: { finding: id, isAway } })
    expect((await put(true)).status).toBe(200)
    expect((await first()).putAway).toEqual({ by: member.email, at: expect.any(String) })
    const { store } = gateway.gateway
    const at = Date.now() + putAwayMsMax + 1_000
    expect(await store.read.putAwayFindings({ workspaceId: gateway.workspaceId, at })).toEqual([])
    await put(false)
    expect((await first()).putAway).toBeNull()
  })

  test('200: usage by month and day', async () => {
    const { json } = await get('usage')
    expect(json.months).toEqual([{ month: monthOf(Date.now()), used: 2 }])
    expect(json.plan.limit).toBe(10)
    expect(json.days).toContainEqual({ day: dayOf(Date.now()), messages: 3 })
    const february = (await get('usage?month=2024-02')).json.days
    expect([february.length, february[0], february[28].day]).toEqual([
      29,
      { day: '2024-02-01', messages: 0 },
      '2024-02-29',
    ])
  })

  test('200: the messages of a month by line, template and key, once they are counted', async () => {
    const { store } = gateway.gateway
    const month = monthOf(Date.now())
    expect((await get(`usage/${month}`)).json).toMatchObject({ countedUntil: null, messages: 0, line: [] })
    const before = Date.now() + 1
    await store.write.countUsage({ before, limit: 100 })
    expect((await get(`usage/${month}`)).json).toEqual({
      countedUntil: new Date(before).toISOString(),
      nextCountAt: expect.stringMatching(/:[0-5]0:00\.000Z$/),
      messages: 3,
      line: [{ id: gateway.line.id, name: gateway.line.number, count: 3 }],
      template: [{ id: '', name: null, count: 3 }],
      key: [{ id: gateway.key.apiKey, name: null, count: 3 }],
    })
    expect((await get('usage/none')).json).toMatchObject({ messages: 0 })
  })

  test('400 VALIDATION_ERROR: more days than are shown', async () => {
    expect((await get('overview?days=1000')).json.error).toBe('VALIDATION_ERROR')
  })
})

test('GET prices, 200: what the platform charges for by category and country, and by day as a table', async () => {
  // Of its own: a delivery changes what the overview counts.
  const gateway = await startTestGateway()
  const person = await addPerson(gateway, 'viewer')
  const get = (path: string) => person.call(`/api/v1/workspaces/${gateway.workspaceId}/${path}`)
  await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })
  const { store } = gateway.gateway
  const message = (await gateway.messages()).find(({ channelMessageId }) => channelMessageId !== null)
  const event = { kind: 'reported', status: 'delivered', at: Date.now(), reason: null } as const
  const pricing = readPricing('delivered', {
    billable: true,
    pricing_model: 'PMP',
    type: 'regular',
    category: 'utility',
  })
  const report = { messageId: message?.id ?? '', detail: null, isMediaGone: false }
  const reports = [{ ...report, event: { ...event, channelMessageId: message?.channelMessageId ?? '', pricing } }]
  await store.write.applyReports({ channelId: gateway.channelId, reports, recordedAt: Date.now() })
  const month = monthOf(Date.now())
  const row = { category: 'utility', country: 'DE', billable: 1, free: 0 }
  const none = { amount: null, currency: null }
  const withoutRates = { ratesSetAt: null, sums: [], withoutRate: 1, prices: [{ ...row, ...none }] }
  expect((await get(`usage/${month}/prices`)).json).toEqual(withoutRates)
  const costOfIt = async () => (await get(`messages/${message?.id}`)).json.cost
  expect(await costOfIt()).toEqual([])
  const { workspaceId } = gateway
  const rate = { country: '*', category: 'utility', price: 0.5, currency: 'EUR' } as const
  await store.write.setPriceRates({ workspaceId, rates: [rate], at: 0 })
  const estimate = { amount: 0.5, currency: 'EUR' }
  expect(await costOfIt()).toEqual([estimate])
  expect((await get(`usage/${month}/prices`)).json).toEqual({
    ...{ ratesSetAt: '1970-01-01T00:00:00.000Z', sums: [estimate], withoutRate: 0 },
    prices: [{ ...row, ...estimate }],
  })
  const { text, headers } = await get(`usage/${month}/prices.csv`)
  expect(text).toBe(`day,category,country,billable,messages\r\n${dayOf(Date.now())},utility,DE,true,1\r\n`)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect((await get('usage/2020-01/prices')).json).toMatchObject({ sums: [], prices: [] })
  await gateway.stop()
})

test('a line whose access token is refused is told, until another message goes out or the token is replaced', async () => {
  const gateway = await startTestGateway()
  const person = await addPerson(gateway, 'owner')
  const { workspaceId, channelId } = gateway
  const { store, credentials } = gateway.gateway
  const send = () => gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })
  const told = async () => {
    const ask = async (path: string) => (await person.call(`/api/v1/workspaces/${workspaceId}/${path}`)).json
    const [overview, lines, { channels }] = [await ask('overview'), await ask('lines'), await ask('gateway')]
    const kinds = overview.attention.map(({ kind }: { kind: string }) => kind)
    const isRefused = kinds.includes('refusedToken')
    for (const { health } of [overview.lines[0], lines.lines[0]]) {
      expect(health).toMatchObject(
        isRefused ? { state: 'fails', cause: { cause: '190' } } : { state: expect.not.stringMatching('fails') },
      )
    }
    const found = channels.find(({ name }: { name: string }) => name === 'access tokens')
    expect(found).toMatchObject({ ok: !isRefused, message: expect.stringContaining(isRefused ? channelId : 'none') })
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

test('a line is judged although another one has sent a thousand messages since', async () => {
  const gateway = await startTestGateway()
  try {
    const person = await addPerson(gateway, 'viewer')
    const { workspaceId, channelId } = gateway
    const { write } = gateway.gateway.store
    gateway.upstream.answer = () => graphError(401, { code: 190, message: 'Error validating access token' })
    await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })
    const busy = await gateway.addLine()
    const createdAt = Date.now() + 1
    const sent = { workspaceId, channelId, lineId: busy.id, createdAt, dispatchedAt: null }
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => write.acceptMessage(draft({ ...sent, id: `msg_${n}` }))))
    const { json } = await person.call(`/api/v1/workspaces/${workspaceId}/overview`)
    expect(json.lines[0]).toMatchObject({ id: gateway.line.id, health: { state: 'fails', cause: { cause: '190' } } })
    expect(json.attention.map(({ kind }: { kind: string }) => kind)).toContain('refusedToken')
  } finally {
    await gateway.stop()
  }
})

test('an account that is locked is found at a refused send and by a callback, until a message is taken again', async () => {
  const clock = new ManualClock(Math.floor(Date.now() / 60_000) * 60_000 + 20_000)
  const gateway = await startTestGateway({ clock })
  try {
    const person = await addPerson(gateway, 'viewer')
    const send = () => gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })
    const stopped = async () => {
      const { json } = await person.call(`/api/v1/workspaces/${gateway.workspaceId}/overview`)
      const found = json.attention.filter(({ kind }: { kind: string }) => kind === 'stoppedLine' || kind === 'update')
      return found.map(({ kind, what }: { kind: string; what: string }) => `${kind} ${what}`)
    }
    const { accountId } = (await gateway.gateway.store.read.channel(gateway.channelId)) ?? {}
    const error = { code: 131031, title: 'Account locked' }
    expect(await stopped()).toEqual([])
    clock.advance(60_000)
    gateway.upstream.answer = () => graphError(403, { code: 131031, message: 'Account has been locked' })
    await send()
    expect(await stopped()).toEqual(['stoppedLine 131031'])
    const { changeLine } = gateway.gateway.store.write
    await changeLine({ lineId: gateway.line.id, active: false })
    // Nothing is to be sent from it: others do its work.
    expect(await stopped()).toEqual([])
    await changeLine({ lineId: gateway.line.id, active: true })
    expect(await stopped()).toEqual(['stoppedLine 131031'])
    clock.advance(60_000)
    gateway.upstream.answer = accept
    await send()
    expect(await stopped()).toEqual([])
    clock.advance(120_000)
    const told = callbackOf([{ field: 'messages', value: { errors: [error, error] } }], { id: String(accountId) })
    expect((await postCallback(callbackUrl(gateway), told, gateway.appSecret)).status).toBe(200)
    expect(await stopped()).toEqual(['stoppedLine 131031'])
    clock.advance(120_000)
    await send()
    expect(await stopped()).toEqual([])
    // An account that sends all the time is locked within a minute of its last message.
    clock.advance(10_000)
    expect((await postCallback(callbackUrl(gateway), told, gateway.appSecret)).status).toBe(200)
    expect(await stopped()).toEqual(['stoppedLine 131031'])
  } finally {
    await gateway.stop()
  }
})

test.each([
  ['an answer to a send', false],
  ['a callback', true],
])(
  'a line that is restricted for hours (131048) by %s is told in the overview and as channel.alert',
  async (_, late) => {
    const gateway = await startTestGateway()
    try {
      const person = await addPerson(gateway, 'viewer')
      const error = { code: 131048, message: 'Spam rate limit hit', title: 'Spam rate limit hit' }
      if (!late) gateway.upstream.answer = () => graphError(400, error)
      const { json } = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })
      if (late) {
        const metadata = { display_phone_number: '1', phone_number_id: gateway.line.upstreamPhoneId }
        const status = { id: json.data.channelMessageId, status: 'failed', timestamp: '1780000020', errors: [error] }
        const value = { messaging_product: 'whatsapp', metadata, statuses: [status] }
        const { accountId: id = '' } = (await gateway.gateway.store.read.channel(gateway.channelId)) ?? {}
        const told = callbackOf([{ field: 'messages', value }], { id })
        expect((await postCallback(callbackUrl(gateway), told, gateway.appSecret)).status).toBe(200)
      }
      const path = `/api/v1/workspaces/${gateway.workspaceId}/overview`
      const attention = async () => (await person.call(path)).json.attention
      await eventually(async () => expect((await attention())[0]?.kind).toBe('restricted'))
      const [first] = await attention()
      expect(first).toMatchObject({
        what: 'Line restricted after reports (131048)',
        subjects: [gateway.channelId, '+15550783881'],
      })
      expect(Math.round((Date.parse(first.until) - Date.now()) / hourMs)).toBe(1)
      const events = await gateway.get('/api/v1/public/events?type=channel.alert')
      expect(events.json.data).toMatchObject([
        { type: 'channel.alert', data: { line: { id: gateway.line.id }, alert: { kind: 'account_error 131048' } } },
      ])
    } finally {
      await gateway.stop()
    }
  },
)
