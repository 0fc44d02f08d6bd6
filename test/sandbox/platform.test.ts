import { afterEach, describe, expect, test } from 'bun:test'
import { dayMs } from '../../src/base/durations.ts'
import { freeEntryMs, reactionDays, serviceChargedFrom } from '../../src/base/upstreamLimits.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { eventually } from '../eventually.ts'
import { freshFixture } from '../fixture.ts'
import { at, errorCode, type Got, lineId, startReceiver, startRig, statusesOf, user, wamidOf } from './rig.ts'

/* What the platform does that no single message shows: what comes back, what it costs, and how clients write to it. */

const receiver = freshFixture(startReceiver)
const rig = freshFixture(() => startRig({ callbackUrl: receiver.url }))
afterEach(() => expect(rig.clock.pending).toBe(0))

/** The statuses of a message, with all that time brings. */
async function told(got: Got, count: number): Promise<object[]> {
  rig.clock.advance(1_000)
  const seen: unknown[] = []
  while (seen.length < count) seen.push(...statusesOf(await receiver.next()))
  // Until no answer is awaited: a later move of the clock would repeat the post.
  await eventually(() => expect(rig.clock.pending).toBe(0))
  const own = seen.filter(status => at(status, 'id') === wamidOf(got)) as object[]
  // Posts that are under way at once come in any order.
  return own.sort((one, other) => rank(one) - rank(other))
}
const order = ['sent', 'delivered', 'read', 'played', 'failed']
const rank = (status: object) => order.indexOf(String(at(status, 'status')))
const words = (statuses: object[]) => statuses.map(status => at(status, 'status'))

describe('what comes back', () => {
  test('of a reaction only sent, and 131009 for one to what cannot have any', async () => {
    const { control } = rig.sandbox
    const written = await control.inbound({ kind: 'text', from: user })
    const reaction = await control.inbound({ kind: 'reaction', from: user })
    const read = async () => [await receiver.next(), await receiver.next()]
    await read()
    const to = async (message_id: string | undefined) =>
      told(await rig.send({ type: 'reaction', reaction: { message_id, emoji: '👍' } }), 1)
    expect(words(await to(written?.wamid))).toEqual(['sent'])
    // Also of one that a fault speaks of.
    control.addFault({ answer: 'accept' })
    expect(words(await to(written?.wamid))).toEqual(['sent'])
    control.clearFaults()
    for (const id of [reaction?.wamid, 'wamid.own']) {
      const [failed] = await to(id)
      expect([at(failed, 'status'), at(failed, 'errors', 0, 'code')]).toEqual(['failed', 131009])
    }
    rig.clock.advance(reactionDays * dayMs)
    expect(words(await to(written?.wamid))).toEqual(['failed'])
  })

  test('of a voice message that it was played', async () => {
    const got = await rig.send({ type: 'audio', audio: { link: 'https://x.example/a.ogg', voice: true } })
    expect(words(await told(got, 4))).toEqual(['sent', 'delivered', 'read', 'played'])
  })

  test('nothing of a message whose user id stands in `to`: it is answered, and lost', async () => {
    const id = 'US.13491208655302741918'
    const got = await rig.text({ to: id })
    expect(got.status).toBe(200)
    expect(at(got.json, 'contacts', 0)).toEqual({ input: id, wa_id: '13491208655302741918' })
    expect(rig.clock.pending).toBe(0)
    expect(rig.sandbox.control.requests()).toMatchObject([{ to: id, outcome: 'accepted' }])
  })

  test('the username of a user who has one, with what is delivered and read', async () => {
    const { control } = rig.sandbox
    await control.inbound({ kind: 'text', from: user, username: 'ada.lovelace', withoutNumber: true })
    const value = at((await receiver.next()).json, 'entry', 0, 'changes', 0, 'value')
    expect(at(value, 'contacts', 0)).toEqual({
      profile: { name: 'Sandbox User', username: 'ada.lovelace' },
      user_id: expect.stringMatching(/^US\.\d+$/),
    })
    await rig.text()
    rig.clock.advance(1_000)
    const names: unknown[] = []
    while (names.length < 3) {
      const changes = at((await receiver.next()).json, 'entry', 0, 'changes')
      for (const change of changes as unknown[]) names.push(at(change, 'value', 'contacts', 0, 'profile', 'username'))
    }
    expect(names.sort()).toEqual(['ada.lovelace', 'ada.lovelace', undefined])
  })
})

describe('prices', () => {
  const priceOf = async (send: () => Promise<Got>) => {
    const [sent] = await told(await send(), 3)
    return at(sent, 'pricing')
  }
  const template = () => rig.template({ name: 'hello_world', language: { code: 'en_US' } })
  const charged = { billable: true, pricing_model: 'PMP', type: 'regular' }
  const free = (type: string) => ({ billable: false, pricing_model: 'PMP', type })
  const write = async (rest: object = {}) => {
    await rig.sandbox.control.inbound({ kind: 'text', from: user, ...rest })
    await receiver.next()
  }

  test('within the window nothing costs until 2026-10-01, and all does from then on', async () => {
    await write()
    const service = { ...free('free_customer_service'), category: 'service' }
    expect(await priceOf(() => rig.text())).toEqual(service)
    expect(await priceOf(template)).toEqual({ ...service, category: 'utility' })
    rig.clock.set(serviceChargedFrom - rig.clock.now())
    await write()
    expect(await priceOf(() => rig.text())).toEqual({ ...charged, category: 'service' })
    expect(await priceOf(template)).toEqual({ ...charged, category: 'utility' })
  })

  test('what answers a user who came through an ad is free for three days', async () => {
    rig.clock.set(serviceChargedFrom - rig.clock.now())
    await write({ fromAd: true })
    expect(await priceOf(() => rig.text())).toEqual({ ...free('free_entry_point'), category: 'service' })
    rig.clock.advance(freeEntryMs)
    expect(await priceOf(() => rig.text())).toEqual({ ...charged, category: 'service' })
  })
})

describe('Direct Send', () => {
  const direct = (rest: object = {}) => rig.text({ category: 'utility', ttl_seconds: 60, ...rest })

  test('100: is not enabled, unless it is switched on', async () => {
    expect(at((await direct()).json, 'error', 'message')).toContain("requires Direct Send, which isn't enabled")
    rig.sandbox.control.configure({ directSend: true, windowRequired: true })
    const [sent] = await told(await direct(), 3)
    const id = at(sent, 'template_id')
    expect(at(sent, 'pricing', 'category')).toBe('utility')
    const listing = await rig.call('GET', `/v25.0/${id}`)
    expect(listing.json).toMatchObject({ source: 'AUTO_GENERATED', name: expect.stringMatching(/^auto_generated_/) })
  })

  test.each<[code: number, what: string, rest: object]>([
    [131062, 'a code to a user id', { category: 'authentication', to: undefined, recipient: 'US.1', ttl_seconds: 60 }],
    [100, 'a life that is too short: edges.test.ts', { ttl_seconds: 29 }],
    [100, 'a preview', { text: { body: 'x', preview_url: true } }],
    [100, 'a list', { type: 'interactive', text: undefined, interactive: list() }],
    [100, 'a name of its template', { direct_send_config: { template_name: 'No name' } }],
  ])('%d: %s', async (code, _, rest) => {
    rig.sandbox.control.configure({ directSend: true })
    expect(errorCode(await direct(rest))).toBe(code)
  })

  test('its template is sent, edited and deleted by nobody', async () => {
    rig.sandbox.control.configure({ directSend: true })
    await told(await direct({ direct_send_config: { template_name: 'parcel_news' } }), 3)
    const named = { name: 'parcel_news', language: { code: 'en' } }
    expect(errorCode(await rig.template(named))).toBe(132018)
    const id = rig.sandbox.control.templates().find(({ name }) => name === 'parcel_news')?.id
    const edited = await rig.call('POST', `/v25.0/${id}`, { category: 'UTILITY' })
    expect(at(edited.json, 'error', 'error_subcode')).toBe(2388318)
    const path = `/v25.0/${SANDBOX.accountId}/message_templates?name=parcel_news`
    expect(at((await rig.call('DELETE', path)).json, 'error', 'error_subcode')).toBe(2388330)
  })

  function list() {
    const sections = [{ rows: [{ id: '1', title: 'Aloe' }] }]
    return { type: 'list', body: { text: 'Choose' }, action: { button: 'Open', sections } }
  }
})

describe('how clients write', () => {
  test('a path without a version is answered as one with it', async () => {
    const text = { messaging_product: 'whatsapp', to: user, type: 'text', text: { body: 'hi' } }
    await told(await rig.call('POST', `/${lineId}/messages`, text), 3)
    for (const path of [`/${lineId}`, `/${SANDBOX.accountId}/message_templates`])
      expect((await rig.call('GET', path)).json).toEqual((await rig.call('GET', `/v25.0${path}`)).json)
    rig.sandbox.control.addFault({ on: 'other', answer: 'reset_on_arrival' })
    expect((await rig.call('GET', '/sandbox/faults')).status).toBe(200)
  })

  test('the token in the query is one, and a header goes before it', async () => {
    const path = (token: string) => `/v25.0/${lineId}?access_token=${token}`
    const none = { authorization: '' }
    expect((await rig.call('GET', path(SANDBOX.accessToken), undefined, none)).status).toBe(200)
    expect(errorCode(await rig.call('GET', path('other'), undefined, none))).toBe(190)
    expect((await rig.call('GET', path('other'))).status).toBe(200)
  })
})
