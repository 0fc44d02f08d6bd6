import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/base/clock.ts'
import { dayMs } from '../../src/base/durations.ts'
import { createChannelClient } from '../../src/graph/client.ts'
import { syncAllTemplates as syncJob } from '../../src/jobs/schedule.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { TemplateRefresher } from '../../src/templates/refresh.ts'
import { type Sync, syncTemplates } from '../../src/templates/sync.ts'
import { createTransport } from '../../src/transport/transport.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { callbackOf, type Received, startUpstream } from '../upstream.ts'
import { accountId, type Stack, startStack, user } from './stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.sync()
})
afterEach(() => stack.control.clearFaults())
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
})

let count = 0
/** A template of the test's own, on the upstream only until the next sync. */
function put(fields: object = {}): string {
  count += 1
  const name = `own_${count}`
  stack.control.putTemplate({ name, language: 'en_US', components: [{ type: 'BODY', text: 'Hello' }], ...fields })
  return name
}
async function putAndSync(fields: object = {}): Promise<string> {
  const name = put(fields)
  expect(await stack.sync()).toMatchObject({ kind: 'synced' })
  return name
}

const send = (templateName: string, more: object = {}) =>
  stack.send({ type: 'template', phone: user, templateName, templateVariables: {}, ...more })
async function outcome(templateName: string, more: object = {}): Promise<[number, string]> {
  const answer = await send(templateName, more)
  return [answer.status, answer.json.error ?? answer.json.data.status]
}
const stored = (name: string) => stack.gateway.store.read.templatesNamed({ channelId: stack.channelId, name })
const statusOf = async (name: string) => (await stored(name)).map(({ status }) => status)

/** No listing succeeds: what is stored then is what the update alone made of it. */
const stopListing = () => stack.control.addFault({ on: 'templates', answer: 'error', code: 131016 })

interface TemplateUpdate {
  name: string
  event: string
  language?: string
  time?: number
  account?: string
  value?: object
}
/** An update of a template as the upstream posts it: no metadata, a number for an id, a hyphen in the language. */
const update = ({ name, event, language = 'en-US', time, account = accountId, value = {} }: TemplateUpdate) =>
  stack.callback(
    callbackOf(
      [
        {
          field: 'message_template_status_update',
          value: {
            event,
            message_template_id: 1_689_556_908_129_832,
            message_template_name: name,
            message_template_language: language,
            reason: null,
            ...value,
          },
        },
      ],
      { id: account, ...(time !== undefined && { time }) },
    ),
  )
const nowSeconds = () => Math.floor(Date.now() / 1000)

describe('sync', () => {
  test('every page of the listing is read', async () => {
    // Listings are asked for in hundreds.
    const names = Array.from({ length: 230 }, () => put())
    const synced = await stack.sync()
    expect(synced).toMatchObject({ kind: 'synced', synced: stack.control.templates().length })
    for (const name of [names[0], names[114], names[229]]) expect(await statusOf(name ?? '')).toEqual(['APPROVED'])
    expect(await outcome(names[229] ?? '')).toEqual([201, 'SENT'])
    for (const name of names) stack.control.deleteTemplate(name, 'en_US')
  })

  test('a last page that is empty ends it as well', async () => {
    stack.control.configure({ emptyLastPage: true })
    const names = Array.from({ length: 100 - (stack.control.templates().length % 100) }, () => put())
    const synced = await stack.sync()
    stack.control.configure({ emptyLastPage: false })
    expect(synced).toMatchObject({ kind: 'synced', synced: stack.control.templates().length })
    for (const name of names) stack.control.deleteTemplate(name, 'en_US')
  })

  test('what is new can be sent and listed; what changed is sent as it is now', async () => {
    const name = await putAndSync()
    expect(await outcome(name)).toEqual([201, 'SENT'])
    stack.control.putTemplate({ name, language: 'en_US', components: [{ type: 'BODY', text: 'Hello {{1}}' }] })
    await stack.sync()
    expect(await outcome(name)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await outcome(name, { templateVariables: { '1': 'Ada' } })).toEqual([201, 'SENT'])
    const listed = await stack.get(`/api/v1/public/templates?name=${name}`)
    expect(listed.json.data.templates).toMatchObject([{ name, variables: ['1'], status: 'APPROVED' }])
  })

  test('a record keeps its id and, while it is the same, its time', async () => {
    const name = await putAndSync()
    const before = await stored(name)
    await stack.sync()
    expect(await stored(name)).toEqual(before)
    stack.control.setTemplateStatus({ name, language: 'en_US', event: 'REJECTED', silent: true })
    await stack.sync()
    const [after] = await stored(name)
    expect(after?.id).toBe(before[0]?.id ?? '')
    expect(after?.status).toBe('REJECTED')
  })

  test('404 NOT_FOUND: gone upstream is no longer sendable nor listed; back upstream it is again', async () => {
    const name = await putAndSync()
    const [before] = await stored(name)
    stack.control.deleteTemplate(name, 'en_US')
    await stack.sync()
    const refused = await send(name)
    expect([refused.status, refused.json.error]).toEqual([404, 'NOT_FOUND'])
    expect((await stack.get(`/api/v1/public/templates?name=${name}`)).json.data.templates).toEqual([])
    stack.control.putTemplate({ name, language: 'en_US', components: [{ type: 'BODY', text: 'Hello' }] })
    await stack.sync()
    expect(await outcome(name)).toEqual([201, 'SENT'])
    expect((await stored(name))[0]?.id).toBe(before?.id ?? '')
  })

  test('404 NOT_FOUND: a language that is gone upstream, while the others stay', async () => {
    const name = put()
    stack.control.putTemplate({ name, language: 'de', components: [{ type: 'BODY', text: 'Hallo' }] })
    await stack.sync()
    stack.control.deleteTemplate(name, 'de')
    await stack.sync()
    expect(await outcome(name, { templateLanguage: 'de' })).toEqual([404, 'NOT_FOUND'])
    expect(await outcome(name)).toEqual([201, 'SENT'])
  })

  test.each([
    'PENDING',
    'REJECTED',
    'PAUSED',
    'DISABLED',
    'IN_APPEAL',
    'PENDING_DELETION',
    'LIMIT_EXCEEDED',
    'ARCHIVED',
  ])('400 TEMPLATE_NOT_APPROVED: %s in the listing', async status => {
    const name = await putAndSync({ status })
    const before = stack.control.totals().requests
    const refused = await send(name)
    expect([refused.status, refused.json.error, refused.json.details]).toEqual([
      400,
      'TEMPLATE_NOT_APPROVED',
      expect.objectContaining({ status }),
    ])
    expect(stack.control.totals().requests).toBe(before)
  })

  const failures: readonly [what: string, fault: Parameters<Stack['control']['addFault']>[0]][] = [
    ['a refusal', { answer: 'error', code: 190 }],
    ['a throttle', { answer: 'error', code: 80008 }],
    ['a page instead of an answer', { answer: 'html', status: 502 }],
    ['an empty answer', { answer: 'empty', status: 503 }],
    ['a success that is no listing', { answer: 'without_messages' }],
    ['an answer that breaks off', { answer: 'truncated' }],
    ['a broken connection', { answer: 'reset' }],
    ['a failure on the second page', { answer: 'error', code: 131016, every: 2 }],
  ]
  test.each(failures)('a failed listing keeps what is stored: %s', async (what, fault) => {
    const name = await putAndSync()
    const names = what.includes('second') ? Array.from({ length: 120 }, () => put()) : []
    stack.control.deleteTemplate(name, 'en_US')
    const added = put()
    stack.control.addFault({ on: 'templates', ...fault, ...(fault.answer === 'without_messages' && { sent: false }) })
    expect(await stack.sync()).toMatchObject({ kind: 'failed' })
    stack.control.clearFaults()
    expect([await statusOf(name), await statusOf(added)]).toEqual([['APPROVED'], []])
    for (const extra of names) stack.control.deleteTemplate(extra, 'en_US')
  })
})

describe('a listing that does not end as it should', () => {
  /** Pages of one template each. @returns what a sync made of it, and what was asked for */
  async function syncFrom(page: (request: Received, number: number) => object) {
    let number = 0
    const upstream = startUpstream()
    upstream.listing = request => {
      number += 1
      return Response.json(page(request, number))
    }
    const transport = createTransport(systemClock)
    const replaced: number[] = []
    const channel = await stack.gateway.store.read.channel(stack.channelId)
    if (!channel) throw new Error('the channel is gone')
    try {
      const sync: Sync = await syncTemplates({
        store: {
          write: {
            ...stack.gateway.store.write,
            replaceTemplates: async ({ templates }) => void replaced.push(templates.length),
          },
        },
        client: createChannelClient(transport, { apiUrl: upstream.url, apiVersion: 'v25.0', timeoutMs: 5_000 }),
        credentials: stack.gateway.credentials,
        clock: systemClock,
        channel,
      })
      return { sync, replaced, received: upstream.listings }
    } finally {
      transport.close()
      await upstream.stop()
    }
  }
  const record = (name: string) => ({
    id: '1304694804498707',
    name,
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [],
  })
  const next = 'https://graph.facebook.com/v25.0/100001/message_templates?after=x'

  test("the address of the next page is not followed: host and token stay the gateway's own", async () => {
    const { sync, received } = await syncFrom((_, number) => ({
      data: [record(`t${number}`)],
      paging: {
        cursors: { before: 'b', after: `cursor ${number}` },
        ...(number < 3 && { next: 'http://10.0.0.1/steal' }),
      },
    }))
    expect(sync).toEqual({ kind: 'synced', synced: 3, approved: 3, skipped: 0 })
    const asked = received.map(({ path }) => new URL(path, 'http://x').searchParams)
    expect(asked.map(query => query.get('after'))).toEqual([null, 'cursor 1', 'cursor 2'])
    for (const { headers } of received) expect(headers.get('authorization')).toBe('Bearer access-token')
  })

  test('it stops where next is absent, though cursors are there', async () => {
    const { received } = await syncFrom(() => ({ data: [record('one')], paging: { cursors: { after: 'x' } } }))
    expect(received).toHaveLength(1)
  })

  test('no paging at all is the end', async () => {
    expect((await syncFrom(() => ({ data: [] }))).sync).toEqual({ kind: 'synced', synced: 0, approved: 0, skipped: 0 })
  })

  test('a record that cannot be read costs none of its neighbours', async () => {
    const { sync } = await syncFrom(() => ({ data: [null, 'x', { name: 'half' }, record('whole')] }))
    expect(sync).toEqual({ kind: 'synced', synced: 1, approved: 1, skipped: 3 })
  })

  const broken: readonly [what: string, page: (number: number) => object][] = [
    ['there is a next page and no cursor to it', () => ({ data: [record('one')], paging: { next } })],
    [
      'the next page is the same again',
      () => ({ data: [record('one')], paging: { cursors: { after: 'same' }, next } }),
    ],
    [
      'it has more pages than an account can fill',
      number => ({ data: [record(`t${number}`)], paging: { cursors: { after: `c${number}` }, next } }),
    ],
  ]
  test.each(broken)('%s: it ends, and the templates of its missing pages stay as they were', async (_, page) => {
    const { sync, replaced, received } = await syncFrom((_, number) => page(number))
    expect(received.length).toBeLessThanOrEqual(200)
    expect({ kind: sync.kind, replaced }).toEqual({ kind: 'failed', replaced: [] })
  })
})

describe('template update', () => {
  test('400 TEMPLATE_NOT_APPROVED: paused by callback, at the very next send; approved again, it goes out', async () => {
    const name = await putAndSync()
    expect(await outcome(name)).toEqual([201, 'SENT'])
    await stack.control.setTemplateStatus({ name, language: 'en_US', event: 'PAUSED' })
    expect(await outcome(name)).toEqual([400, 'TEMPLATE_NOT_APPROVED'])
    await stack.control.setTemplateStatus({ name, language: 'en_US', event: 'APPROVED' })
    expect(await outcome(name)).toEqual([201, 'SENT'])
  })

  test.each([
    ['REJECTED', 'REJECTED', 'TEMPLATE_NOT_APPROVED'],
    ['PENDING', 'PENDING', 'TEMPLATE_NOT_APPROVED'],
    ['PAUSED', 'PAUSED', 'TEMPLATE_NOT_APPROVED'],
    ['DISABLED', 'DISABLED', 'TEMPLATE_NOT_APPROVED'],
    ['IN_APPEAL', 'IN_APPEAL', 'TEMPLATE_NOT_APPROVED'],
    ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'TEMPLATE_NOT_APPROVED'],
    ['PENDING_DELETION', 'PENDING_DELETION', 'TEMPLATE_NOT_APPROVED'],
    ['ARCHIVED', 'ARCHIVED', 'TEMPLATE_NOT_APPROVED'],
    ['DELETED', 'DELETED', 'NOT_FOUND'],
    ['FLAGGED', 'APPROVED', 'SENT'],
    ['LOCKED', 'APPROVED', 'SENT'],
    ['REINSTATED', 'APPROVED', 'SENT'],
    ['SOMETHING_NEW', 'APPROVED', 'SENT'],
  ])('%s makes it %s: %s', async (event, status, result) => {
    const name = await putAndSync()
    stopListing()
    expect((await update({ name, event, time: nowSeconds() })).status).toBe(200)
    expect(await statusOf(name)).toEqual([status])
    expect((await outcome(name))[1]).toBe(result)
  })

  test.each(['en-US', 'en_US', 'EN-us', 'en_us'])('the language %s is the record of en_US', async language => {
    const name = await putAndSync()
    stopListing()
    await update({ name, event: 'PAUSED', language, time: nowSeconds() })
    expect(await statusOf(name)).toEqual(['PAUSED'])
  })

  test.each(['en', 'en_GB', 'de'])('the language %s is not the record of en_US', async language => {
    const name = await putAndSync()
    stopListing()
    await update({ name, event: 'PAUSED', language, time: nowSeconds() })
    expect(await statusOf(name)).toEqual(['APPROVED'])
  })

  test('only the language that is named changes', async () => {
    const name = put()
    stack.control.putTemplate({ name, language: 'pt_BR', components: [{ type: 'BODY', text: 'Oi' }] })
    await stack.sync()
    stopListing()
    await update({ name, event: 'PAUSED', language: 'pt-BR', time: nowSeconds() })
    const statuses = Object.fromEntries((await stored(name)).map(({ language, status }) => [language, status]))
    expect(statuses).toEqual({ en_US: 'APPROVED', pt_BR: 'PAUSED' })
  })

  test.each([
    ['a number beyond the safe integers', '1304694804498707999'],
    ['text', '"1304694804498707"'],
    ['absent', 'null'],
  ])('the id may be %s: it is no key', async (_, id) => {
    const name = await putAndSync()
    stopListing()
    const value = {
      event: 'PAUSED',
      message_template_id: 'HERE',
      message_template_name: name,
      message_template_language: 'en-US',
    }
    const change = { field: 'message_template_status_update', value }
    const payload = JSON.stringify(callbackOf([change], { id: accountId, time: nowSeconds() })).replace('"HERE"', id)
    expect((await stack.callback(payload)).status).toBe(200)
    expect(await statusOf(name)).toEqual(['PAUSED'])
  })

  test('an update older than the record is ignored, whenever it comes', async () => {
    const name = await putAndSync()
    stopListing()
    await update({ name, event: 'PAUSED', time: nowSeconds() - 3_600 })
    expect(await statusOf(name)).toEqual(['APPROVED'])
    expect(await outcome(name)).toEqual([201, 'SENT'])
  })

  test('in any order, the latest update stands', async () => {
    const name = await putAndSync()
    stopListing()
    const start = nowSeconds() + 10
    await update({ name, event: 'PAUSED', time: start + 20 })
    await update({ name, event: 'REJECTED', time: start })
    await update({ name, event: 'IN_APPEAL', time: start + 10 })
    expect(await statusOf(name)).toEqual(['PAUSED'])
  })

  test('an update without a time counts as of now', async () => {
    const name = await putAndSync()
    stopListing()
    await update({ name, event: 'PAUSED' })
    expect(await statusOf(name)).toEqual(['PAUSED'])
  })

  test('an update of another account changes nothing here', async () => {
    const name = await putAndSync()
    stopListing()
    expect((await update({ name, event: 'PAUSED', account: '999', time: nowSeconds() })).status).toBe(200)
    expect(await statusOf(name)).toEqual(['APPROVED'])
  })

  test('an update of the same account in another workspace changes nothing here', async () => {
    const name = await putAndSync()
    const other = await stack.neighbour()
    stopListing()
    const own = stack.callbackUrl
    stack.control.setCallbackUrl(`${stack.url}/callbacks/channel/${other.channel.id}`)
    expect(await stack.control.templateUpdate({ name, language: 'en_US', event: 'PAUSED' })).toEqual({ status: 200 })
    stack.control.setCallbackUrl(own)
    expect(await statusOf(name)).toEqual(['APPROVED'])
  })

  test('an update that comes while a listing is being read outlives it: the listing is older', async () => {
    const name = await putAndSync()
    // The listing is made at once and answered later, as a slow upstream does.
    stack.control.addFault({ on: 'templates', afterMs: 150, next: 1 })
    const syncing = stack.sync()
    await eventually(() => expect(stack.control.faults()).toEqual([]))
    stopListing()
    await stack.control.setTemplateStatus({ name, language: 'en_US', event: 'PAUSED' })
    expect(await statusOf(name)).toEqual(['PAUSED'])
    expect(await syncing).toMatchObject({ kind: 'synced' })
    expect(await statusOf(name)).toEqual(['PAUSED'])
  })

  test('an update of a template that is not known yet brings the listing', async () => {
    const fresh = await startFresh()
    try {
      fresh.control.putTemplate({ name: 'brand_new', language: 'en_US', components: [{ type: 'BODY', text: 'Hi' }] })
      await fresh.control.templateUpdate({ name: 'brand_new', language: 'en_US', event: 'APPROVED' })
      await eventually(async () => {
        const records = await fresh.gateway.store.read.templatesNamed({ channelId: fresh.channelId, name: 'brand_new' })
        expect(records.map(({ status }) => status)).toEqual(['APPROVED'])
      })
    } finally {
      await fresh.stop()
    }
  })
})

/** A second upstream account beside the gateway of this file, for what needs a gateway that has read no listing yet. */
async function startFresh() {
  await stack.stop()
  const fresh = await startStack()
  return {
    ...fresh,
    async stop() {
      await fresh.stop()
      stack = await startStack()
      await stack.sync()
    },
  }
}

describe('the listing is asked for with care', () => {
  /** A refresher on a clock that stands still; listings are counted. */
  function startRefresher(
    list: () => Promise<Awaited<ReturnType<ReturnType<typeof createChannelClient>['listTemplates']>>>,
  ) {
    const clock = new ManualClock()
    const listed: { at: number; accountId: string }[] = []
    const client = {
      listTemplates: ({ accountId: account }: { accountId: string }) => {
        listed.push({ at: clock.now(), accountId: account })
        return list()
      },
    } as unknown as ReturnType<typeof createChannelClient>
    const { store, credentials } = stack.gateway
    const refresher = new TemplateRefresher({ store, client, credentials, clock, log: silentLogger })
    return { refresher, clock, listed }
  }
  const empty = async () => ({ kind: 'failed', message: 'not this time' }) as const
  const until = (listed: readonly unknown[], times: number) => eventually(() => expect(listed).toHaveLength(times))

  test('many updates are answered by one listing a minute, the first one immediately', async () => {
    const { refresher, clock, listed } = startRefresher(empty)
    const start = clock.now()
    for (let times = 0; times < 50; times += 1) refresher.request(stack.channelId)
    clock.advance(0)
    await until(listed, 1)
    for (const minute of [1, 2]) {
      for (let second = 0; second < 60; second += 1) {
        refresher.request(stack.channelId)
        expect(listed).toHaveLength(minute)
        clock.advance(1_000)
      }
      await until(listed, minute + 1)
    }
    await refresher.stop()
    expect(listed.map(({ at }) => at - start)).toEqual([0, 60_000, 120_000])
    expect(clock.pending).toBe(0)
  })

  test('an update that comes while a listing is read is answered by the next one', async () => {
    const gate = Promise.withResolvers<void>()
    const { refresher, clock, listed } = startRefresher(async () => {
      await gate.promise
      return empty()
    })
    refresher.request(stack.channelId)
    clock.advance(0)
    await until(listed, 1)
    refresher.request(stack.channelId)
    gate.resolve()
    clock.advance(60_000)
    await until(listed, 2)
    await refresher.stop()
  })

  test('a listing that takes long is followed by one, however many updates came meanwhile', async () => {
    const other = await stack.neighbour()
    const gate = Promise.withResolvers<void>()
    const { refresher, clock, listed } = startRefresher(async () => {
      await gate.promise
      return empty()
    })
    refresher.request(stack.channelId)
    clock.advance(0)
    await until(listed, 1)
    for (let minute = 0; minute < 20; minute += 1) {
      for (const id of [stack.channelId, other.channel.id]) refresher.request(id)
      clock.advance(60_000)
    }
    gate.resolve()
    await until(listed, 3)
    await refresher.stop()
    expect(listed).toHaveLength(3)
  })

  test('channels do not wait for the minute of one another', async () => {
    const other = await stack.neighbour()
    const { refresher, clock, listed } = startRefresher(empty)
    refresher.request(stack.channelId)
    refresher.request(other.channel.id)
    clock.advance(0)
    await until(listed, 2)
    await refresher.stop()
  })

  test('a channel that is gone and a listing that throws end nothing', async () => {
    let isBroken = true
    const { refresher, clock, listed } = startRefresher(() => {
      if (isBroken) throw new Error('a defect')
      return empty()
    })
    refresher.request('chan_unknown')
    refresher.request(stack.channelId)
    clock.advance(0)
    await until(listed, 1)
    isBroken = false
    refresher.request(stack.channelId)
    clock.advance(60_000)
    await until(listed, 2)
    await refresher.stop()
  })

  test('after stop nothing is read any more', async () => {
    const { refresher, clock, listed } = startRefresher(empty)
    refresher.request(stack.channelId)
    await refresher.stop()
    for (const id of [stack.channelId, 'chan_other']) refresher.request(id)
    expect(clock.pending).toBe(0)
    clock.advance(120_000)
    expect(listed).toEqual([])
  })

  test('a stop waits for the listing that is being read, and for none behind it', async () => {
    const other = await stack.neighbour()
    const gate = Promise.withResolvers<void>()
    const { refresher, clock, listed } = startRefresher(async () => {
      await gate.promise
      return empty()
    })
    refresher.request(stack.channelId)
    refresher.request(other.channel.id)
    clock.advance(0)
    await until(listed, 1)
    const stopped = refresher.stop()
    expect(Bun.peek.status(stopped)).toBe('pending')
    gate.resolve()
    await stopped
    expect(listed).toHaveLength(1)
  })

  test('a decision that waits for a listing gets one, and none twice within a minute', async () => {
    const { refresher, clock, listed } = startRefresher(empty)
    expect(await refresher.renew(stack.channelId)).toBe('read')
    clock.advance(59_999)
    expect(await refresher.renew(stack.channelId)).toBe('new')
    expect(listed).toHaveLength(1)
    clock.advance(1)
    expect(await refresher.renew(stack.channelId)).toBe('read')
    expect(listed).toHaveLength(2)
    await refresher.stop()
    expect(await refresher.renew(stack.channelId)).toBe('new')
    expect(clock.pending).toBe(0)
  })

  test('decisions that wait at the same time share a listing, also one that an update asked for', async () => {
    const gate = Promise.withResolvers<void>()
    const { refresher, listed } = startRefresher(async () => {
      await gate.promise
      return empty()
    })
    refresher.request(stack.channelId)
    const renewals = [refresher.renew(stack.channelId), refresher.renew(stack.channelId)]
    await until(listed, 1)
    renewals.push(refresher.renew(stack.channelId))
    gate.resolve()
    expect(await Promise.all(renewals)).toEqual(['read', 'read', 'read'])
    expect(listed).toHaveLength(1)
    await refresher.stop()
  })

  test('a decision waits for a slow listing at most three seconds', async () => {
    const gate = Promise.withResolvers<void>()
    const { refresher, clock, listed } = startRefresher(async () => {
      await gate.promise
      return empty()
    })
    const renewal = refresher.renew(stack.channelId)
    await until(listed, 1)
    clock.advance(2_999)
    expect(Bun.peek.status(renewal)).toBe('pending')
    clock.advance(1)
    expect(await renewal).toBe('late')
    gate.resolve()
    await refresher.stop()
  })

  test('the job asks for every channel', async () => {
    const asked: string[] = []
    const { store } = stack.gateway
    await syncJob({
      store,
      clock: systemClock,
      log: silentLogger,
      client: { listNumbers: async () => ({ kind: 'failed', message: 'nobody is asked' }) },
      credentials: { open: () => 'token' },
      templateRefresher: { request: (id: string) => void asked.push(id) } as unknown as TemplateRefresher,
      backups: { run: async () => {} },
      batches: { look: async () => {} },
      files: { run: async () => {}, measure: async () => {}, sweep: async () => {} },
      config: {
        idempotencyTtlMs: dayMs,
        unknownSettleMs: 1,
        contentRetentionMs: dayMs,
        messageRetentionMs: null,
        eventRetentionMs: dayMs,
        media: { retentionMs: dayMs },
        templateSyncMs: 1,
      },
    })
    const channels = await store.read.channels(null)
    expect(asked.toSorted()).toEqual(channels.map(({ id }) => id).toSorted())
  })
})

describe('before a send is refused for its template, the listing is read again', () => {
  let fresh: Stack
  const clock = new ManualClock()
  beforeAll(async () => {
    fresh = await startStack({ clock })
    await fresh.sync()
  })
  afterAll(() => fresh.stop())
  afterEach(() => fresh.control.clearFaults())

  const hello = { language: 'en_US', components: [{ type: 'BODY', text: 'Hello' }] }
  const sendFresh = async (templateName: string, more: object = {}) => {
    // What was read in an earlier test is old by now.
    clock.advance(60_000)
    return fresh.send({ type: 'template', phone: user, templateName, templateVariables: {}, ...more })
  }

  test('201: a template that was approved since then, without a callback about it', async () => {
    fresh.control.putTemplate({ name: 'new_here', ...hello })
    expect((await sendFresh('new_here')).status).toBe(201)
  })

  test('201: a template whose stored status was pending', async () => {
    fresh.control.putTemplate({ name: 'reviewed', ...hello, status: 'PENDING' })
    await fresh.sync()
    fresh.control.setTemplateStatus({ name: 'reviewed', language: 'en_US', event: 'APPROVED', silent: true })
    expect((await sendFresh('reviewed')).status).toBe(201)
  })

  test('201: a language that was added', async () => {
    fresh.control.putTemplate({ name: 'spoken', ...hello })
    await fresh.sync()
    fresh.control.putTemplate({ name: 'spoken', ...hello, language: 'de' })
    expect((await sendFresh('spoken', { templateLanguage: 'de' })).status).toBe(201)
  })

  test('404 NOT_FOUND and 400 TEMPLATE_NOT_APPROVED stand when the new listing says the same', async () => {
    expect((await sendFresh('no_such_template')).json.error).toBe('NOT_FOUND')
    expect((await sendFresh('summer_sale')).json.error).toBe('TEMPLATE_NOT_APPROVED')
  })

  test('a listing that fails leaves the verdict to what is stored', async () => {
    fresh.control.putTemplate({ name: 'unreachable', ...hello })
    fresh.control.addFault({ on: 'templates', answer: 'error', code: 131016 })
    expect((await sendFresh('unreachable')).json.error).toBe('NOT_FOUND')
  })

  test('within a minute of the last listing, the verdict is given at once', async () => {
    await sendFresh('no_such_template')
    fresh.control.putTemplate({ name: 'too_soon', ...hello })
    const send = { type: 'template', phone: user, templateName: 'too_soon', templateVariables: {} }
    expect((await fresh.send(send)).status).toBe(404)
    expect((await sendFresh('too_soon')).status).toBe(201)
  })

  test.each([
    [132001, 'NOT_FOUND', { event: 'DELETED' }],
    [132015, 'TEMPLATE_NOT_APPROVED', { event: 'PAUSED' }],
  ])('the refusal %d of the upstream has the listing read: the next send is %s', async (code, error, { event }) => {
    const name = `gone_${code}`
    fresh.control.putTemplate({ name, ...hello })
    expect((await sendFresh(name)).status).toBe(201)
    fresh.control.setTemplateStatus({ name, language: 'en_US', event, silent: true })
    const refused = await sendFresh(name)
    expect([refused.json.error, refused.json.details.code]).toEqual(['CHANNEL_GRAPH_ERROR', code])
    clock.advance(0)
    await eventually(async () => {
      const [record] = await fresh.gateway.store.read.templatesNamed({ channelId: fresh.channelId, name })
      expect(record?.status).toBe(event)
    })
    expect((await sendFresh(name)).json.error).toBe(error)
  })
})
