import { beforeAll, describe, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { eventTypes } from '../../src/base/eventTypes.ts'
import { numberedId } from '../../src/base/ids.ts'
import { Announcements } from '../../src/reading/announcements.ts'
import { observed } from '../../src/reading/observed.ts'
import { inbound } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf, startTestGateway, type Tenant } from '../gateway.ts'
import { postCallback, statusCallback } from '../upstream.ts'
import { text } from './refusals.ts'

const path = '/api/v1/public/events'
const unlimited = { PUBLIC_IP_RATE_LIMIT: '0', PUBLIC_API_KEY_RATE_LIMIT: '0' }

let other: Tenant
const gateway = sharedFixture(() => startTestGateway({ env: unlimited }))
beforeAll(async () => {
  other = await gateway.addWorkspace()
  // Tests run in any order: each finds an event to begin after.
  await gateway.send(text)
})

const list = (query = '', key = gateway.key) => gateway.get(`${path}${query}`, key)
/** The id of the last event of the workspace. */
const end = async (): Promise<string> => (await list('?after=latest')).json.next

const second = Math.floor(Date.now() / 1000) + 3_600
const report = (channelMessageId: string, status: string, seconds: number) =>
  postCallback(
    `${gateway.url}/callbacks/channel/${gateway.channelId}`,
    statusCallback({ id: channelMessageId, status, timestamp: String(seconds) }),
    gateway.appSecret,
  )

describe('200: the events of the workspace', () => {
  test('none yet: next is null, and so a reader begins', async () => {
    const { status, json } = await list('', other.key)
    expect(status).toBe(200)
    expect(json).toEqual({ success: true, data: [], next: null })
  })

  test('each step of a message, with the message as the status call showed it then', async () => {
    await gateway.send(text)
    const after = await end()
    const sent = (await gateway.send(text)).json.data
    await report(sent.channelMessageId, 'delivered', second)
    const shown = (await gateway.get(`/api/v1/public/messages/${sent.id}`)).json.data
    const { json } = await list(`?after=${after}`)
    expect(json).toEqual({
      success: true,
      data: [
        {
          id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
          type: 'message.sent',
          timestamp: sent.sentAt,
          sequence: 2,
          data: { message: sent },
        },
        {
          id: json.next,
          type: 'message.delivered',
          timestamp: shown.deliveredAt,
          sequence: 3,
          data: { message: shown },
        },
      ],
      next: expect.any(String),
    })
    expect(shown.status).toBe('DELIVERED')
    expect(json.data[0].id < json.data[1].id).toBe(true)
  })

  test('what users send, by the id that it will be read with', async () => {
    const after = await end()
    const { store } = gateway.gateway
    const message = inbound({ upstreamPhoneId: gateway.line.upstreamPhoneId })
    await store.write.recordInbound({ channelId: gateway.channelId, messages: [message], recordedAt: Date.now() })
    const { json } = await list(`?after=${after}&type=message.received`)
    expect(json.data[0].data.inbound).toMatchObject({ type: 'text', text: 'hello', lineId: gateway.line.id })
    expect(json.data).toEqual([
      {
        id: json.next,
        type: 'message.received',
        timestamp: new Date(message.at).toISOString(),
        sequence: null,
        data: {
          inbound: (await gateway.get(`/api/v1/public/inbound/${json.next.replace('evt_', 'inb_')}`)).json.data,
        },
      },
    ])
  })

  test('a reader that follows next sees each event once, whatever the size of its pages', async () => {
    for (let count = 0; count < 5; count += 1) await gateway.send(text)
    const all = (await list('?limit=100')).json.data.map(({ id }: { id: string }) => id)
    const seen: string[] = []
    for (let next: string | null = null; ; ) {
      const { json } = await list(`?limit=2${next === null ? '' : `&after=${next}`}`)
      if (json.next === next) break
      expect(json.data.length).toBeLessThanOrEqual(2)
      seen.push(...json.data.map(({ id }: { id: string }) => id))
      next = json.next
    }
    expect(seen).toEqual(all)
    expect([...seen].sort()).toEqual(all)
  })

  test('types by a comma, or by several parameters; next passes over the others', async () => {
    const after = await end()
    const sent = (await gateway.send(text)).json.data
    await report(sent.channelMessageId, 'read', second)
    const types = async (query: string) =>
      (await list(`?after=${after}${query}`)).json.data.map(({ type }: { type: string }) => type)
    expect(await types('&type=message.read')).toEqual(['message.read'])
    for (const query of ['&type=message.read,message.sent', '&type=message.read&type=message.sent'])
      expect(await types(query)).toEqual(['message.sent', 'message.read'])
    expect((await list(`?after=${after}&type=message.failed`)).json).toEqual({
      success: true,
      data: [],
      next: await end(),
    })
  })

  test('a page has 20 by default', async () => {
    for (let count = 0; count < 21; count += 1) await gateway.send(text)
    expect((await list()).json.data).toHaveLength(20)
  })

  test('after=latest begins with what happens from now on', async () => {
    const { json } = await list('?after=latest')
    expect(json).toEqual({ success: true, data: [], next: await end() })
    const sent = (await gateway.send(text)).json.data
    expect((await list(`?after=${json.next}`)).json.data[0].data.message).toEqual(sent)
    expect((await list('?after=latest', other.key)).json).toEqual({ success: true, data: [], next: null })
  })

  test('those of another workspace are not in it', async () => {
    expect((await list('', other.key)).json.data).toEqual([])
  })
})

describe('400 VALIDATION_ERROR, and nothing is stored', () => {
  test.each([
    ['a cursor of another workspace', () => `?after=${numberedId('evt', other.workspaceId, 1)}`, '/after'],
    ['a cursor of the future', () => `?after=${numberedId('evt', gateway.workspaceId, 9_999)}`, '/after'],
    ['a cursor that is none', () => '?after=evt_1', '/after'],
    ['an empty cursor', () => '?after=', '/after'],
    ['a number of another kind', () => `?after=${numberedId('inb', gateway.workspaceId, 1)}`, '/after'],
    ['a type that does not exist', () => '?type=message.sent,message.lost', '/type'],
    ['no page', () => '?limit=0', '/limit'],
    ['a page that is too large', () => '?limit=101', '/limit'],
    ['a wait beyond its bound', () => '?wait=26', '/wait'],
    ['a wait that is no number', () => '?wait=long', '/wait'],
    ['a parameter that comes twice', () => '?limit=1&limit=2', '/limit'],
  ])('%s', async (_, query, at) => {
    const { status, json } = await list(query())
    expect([status, json.error, json.details.issues.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      'VALIDATION_ERROR',
      [at],
    ])
  })

  test('names the types that there are', async () => {
    const { json } = await list('?type=sent')
    expect(json.details.issues[0].message).toBe(`must be one of ${eventTypes.join(', ')}`)
  })

  test.each([
    ['a wait beyond its bound', 'wait=26'],
    ['a state that cannot be waited for', 'wait=1&for=QUEUED'],
  ])('of a message: %s', async (_, query) => {
    const { id } = (await gateway.send(text)).json.data
    expect((await gateway.get(`/api/v1/public/messages/${id}?${query}`)).status).toBe(400)
  })
})

describe('wait', () => {
  test('an event that is there is answered at once; else the answer comes with the next event', async () => {
    const after = await end()
    const waited = list(`?after=${after}&wait=25`)
    const sent = (await gateway.send(text)).json.data
    const { json } = await waited
    expect(json.data.map(({ data }: { data: { message: unknown } }) => data.message)).toEqual([sent])
    expect((await list(`?after=${after}&wait=25`)).json).toEqual(json)
  })

  test('with types, other events do not end it', async () => {
    const after = await end()
    const waited = list(`?after=${after}&wait=25&type=message.read`)
    const sent = (await gateway.send(text)).json.data
    await report(sent.channelMessageId, 'delivered', second)
    await report(sent.channelMessageId, 'read', second + 1)
    const { json } = await waited
    expect(json.data.map(({ type }: { type: string }) => type)).toEqual(['message.read'])
  })

  test('it ends with what is scheduled, and with what is moved', async () => {
    const sendAt = (inMs: number) => new Date(Date.now() + inMs).toISOString()
    const after = await end()
    const waited = list(`?after=${after}&wait=25`)
    const { id } = (await gateway.send({ ...text, sendAt: sendAt(hourMs) })).json.data
    const { json } = await waited
    expect(json.data.map(({ type }: { type: string }) => type)).toEqual(['message.scheduled'])
    const moved = list(`?after=${json.next}&wait=25`)
    const dueAt = Date.now() + 7_200_000
    const change = { messageId: id, dueAt, keyExpiresAt: dueAt, at: Date.now() }
    await gateway.gateway.store.write.rescheduleMessage(change)
    expect((await moved).json.data[0].data.message.sendAt).toBe(new Date(dueAt).toISOString())
    // Shorter than one wait.
  }, 20_000)

  test('who waits for news of contacts hears of another user id, and of an opt-out that shows whose a number is', async () => {
    const { channelId, line } = gateway
    const heard: string[] = []
    const announcements = new Announcements()
    announcements.watch({
      workspaceIds: [gateway.workspaceId],
      note: (_, subject) => heard.push(subject),
    })
    const { write } = observed(gateway.gateway.store, announcements)
    const from = { phone: null, userId: 'DE.2', name: null, newContactId: 'contact_renamed' }
    const change = { at: 2, from, identityChange: { formerPhone: null, formerUserId: 'DE.1' } }
    const changes = [{ ...change, upstreamPhoneId: line.upstreamPhoneId }]
    await write.followIdentities({ channelId, changes, recordedAt: 2 })
    await eventually(() => expect(heard).toEqual(['contacts']))
    const about = {
      of: 'contact',
      phone: '+4930888',
      userId: 'DE.3',
      name: null,
      newContactId: 'contact_stopped',
    } as const
    const optOut = { accountId: null, about, kind: 'user_preferences', at: 3, detail: {} }
    await write.keepUpdates({ channelId, updates: [optOut], recordedAt: 3 })
    await eventually(() => expect(heard.toSorted()).toEqual(['contacts', 'contacts', 'health']))
  })

  test('where a step finds nothing and more is behind it, the answer comes at once, and the reader goes on', async () => {
    const fresh = await startTestGateway({ env: unlimited })
    for (let count = 0; count < 2; count += 1) await fresh.send(text)
    await fresh.gateway.store.write.pruneMessages({ createdBefore: Date.now() + 1_000, limit: 1 })
    const first = (await fresh.get(`${path}?limit=1&wait=25`)).json
    expect([first.data, first.next]).toEqual([[], numberedId('evt', fresh.workspaceId, 1)])
    expect((await fresh.get(`${path}?after=${first.next}&limit=1&wait=25`)).json.data).toHaveLength(1)
    await fresh.stop()
  })

  test('without an event it ends after its time with an empty page, from where the reader goes on', async () => {
    const after = await end()
    expect((await list(`?after=${after}&wait=1`)).json).toEqual({ success: true, data: [], next: after })
  })

  test('for a state of a message: the answer comes with it', async () => {
    const sent = (await gateway.send(text)).json.data
    const waited = gateway.get(`/api/v1/public/messages/${sent.id}?wait=25&for=READ`)
    await report(sent.channelMessageId, 'delivered', second)
    await report(sent.channelMessageId, 'read', second + 1)
    expect((await waited).json.data.status).toBe('READ')
  })

  test('for a state that is past, or that never comes after a failure, there is no wait', async () => {
    const sent = (await gateway.send(text)).json.data
    const wait = (state: string) => gateway.get(`/api/v1/public/messages/${sent.id}?wait=25&for=${state}`)
    expect((await wait('SENT')).json.data.status).toBe('SENT')
    await report(sent.channelMessageId, 'failed', second)
    expect((await wait('READ')).json.data.status).toBe('FAILED')
    expect((await wait('DELIVERED')).json.data.status).toBe('FAILED')
  })

  test('for a message of another workspace there is none to wait for', async () => {
    const sent = (await gateway.send(text)).json.data
    expect((await gateway.get(`/api/v1/public/messages/${sent.id}?wait=25`, other.key)).status).toBe(404)
  })

  test('429: an eleventh request of a key; a caller that leaves makes room', async () => {
    const key = await gateway.createKey({ workspaceId: other.workspaceId })
    const gone = new AbortController()
    const headers = { apiKey: key.apiKey, apiSecret: key.apiSecret }
    const waits = Array.from({ length: 11 }, () =>
      answerOf(fetch(`${gateway.url}${path}?wait=25`, { headers, signal: gone.signal })).catch(() => null),
    )
    // The others wait: it was refused because of them.
    const refused = await Promise.race(waits)
    expect([refused?.status, refused?.json.error]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect((await list('', key)).status).toBe(200)
    gone.abort()
    await Promise.all(waits)
    await eventually(async () => expect((await list('?wait=1', key)).status).toBe(200))
  })

  test('401: a key that is revoked meanwhile gets nothing of what happens', async () => {
    const key = await gateway.createKey()
    const after = await end()
    const sent = (await gateway.send(text)).json.data
    const list = (query: string) => gateway.get(`${path}?after=${after}&type=message.read&${query}`, key)
    const status = () => gateway.get(`/api/v1/public/messages/${sent.id}?wait=25&for=READ`, key)
    const waits = Array.from({ length: 11 }, (_, n) => (n % 2 === 0 ? status() : list('wait=25')))
    // Ten of both kinds wait when there is no room for an eleventh.
    const refused = await Promise.race(waits)
    expect(refused.status).toBe(429)
    await gateway.gateway.store.write.revokeKey({ keyId: key.apiKey, at: Date.now() })
    await report(sent.channelMessageId, 'read', second)
    for (const answer of await Promise.all(waits)) {
      const { status, json } = answer
      if (answer !== refused) expect([status, json.error, json.data]).toEqual([401, 'UNAUTHORIZED', undefined])
    }
  })

  test('a stop ends it with an empty page', async () => {
    const stopping = await startTestGateway({ env: unlimited })
    await stopping.send(text)
    const { next } = (await stopping.get(path)).json
    const waits = Array.from({ length: 11 }, () => stopping.get(`${path}?after=${next}&wait=25`))
    // Ten of them wait: there is no room for another one.
    const refused = await Promise.race(waits)
    expect(refused.status).toBe(429)
    await stopping.stop()
    for (const answer of await Promise.all(waits))
      if (answer !== refused) expect(answer.json).toEqual({ success: true, data: [], next })
  })

  test('a rate limit counts it once', async () => {
    const limited = await startTestGateway({ env: { PUBLIC_IP_RATE_LIMIT: '0', PUBLIC_API_KEY_RATE_LIMIT: '3' } })
    const { headers } = await limited.get(`${path}?wait=1`)
    expect(headers.get('ratelimit-remaining')).toBe('2')
    await limited.stop()
  })
})
