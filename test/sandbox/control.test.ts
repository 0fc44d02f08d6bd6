import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { list } from '../../src/base/json.ts'
import { SANDBOX, startSandbox } from '../../src/sandbox/server.ts'
import { BOUNDS } from '../../src/sandbox/state/defaults.ts'
import { Journal } from '../../src/sandbox/state/journal.ts'
import { freshFixture } from '../fixture.ts'
import { at, errorCode, lineId, startReceiver, startRig, turn, user, wamidOf } from './rig.ts'

const receiver = freshFixture(startReceiver)
const rig = freshFixture(() => startRig({ callbackUrl: receiver.url }))

const control = (method: string, path: string, body?: unknown) =>
  rig.call(method, `/sandbox${path}`, body, { authorization: '' })

describe('journal', () => {
  test('a send is there with line, recipient, hash, opaque data, body, outcome', async () => {
    const body = JSON.stringify({
      messaging_product: 'whatsapp',
      to: user,
      type: 'text',
      text: { body: 'hi' },
      biz_opaque_callback_data: 'msg_1',
    })
    const got = await rig.call('POST', `/v25.0/${lineId}/messages`, body)
    const { json } = await control('GET', '/requests?opaque=msg_1')
    expect(at(json, 'requests')).toEqual([
      {
        seq: 1,
        at: rig.clock.now(),
        kind: 'send',
        line: lineId,
        to: user,
        waId: '16505551234',
        bodySha256: createHash('sha256').update(body).digest('hex'),
        opaque: 'msg_1',
        body: JSON.parse(body),
        outcome: 'accepted',
        wamid: wamidOf(got),
      },
    ])
  })

  test('refused sends are there too, with their code and the number that decided', async () => {
    await rig.text({ to: '+15550101026' })
    await rig.call('POST', `/v25.0/${lineId}/messages`, '{')
    const { json } = await control('GET', '/requests?outcome=refused')
    expect(at(json, 'requests')).toMatchObject([
      { code: 131026, fault: '+15550101026', outcome: 'refused' },
      { code: 100, body: '{', outcome: 'refused' },
    ])
    expect(at(json, 'totals')).toMatchObject({ requests: 2, byCode: { 100: 1, 131026: 1 } })
  })

  test('doubles: the same opaque data out twice is reported; a refused first try is none', async () => {
    await rig.text({ to: '+15550101026', biz_opaque_callback_data: 'msg_2' })
    await rig.text({ biz_opaque_callback_data: 'msg_2' })
    expect((await control('GET', '/doubles')).json).toEqual({ doubles: [] })
    await rig.text({ biz_opaque_callback_data: 'msg_2' })
    expect((await control('GET', '/doubles')).json).toEqual({ doubles: [{ opaque: 'msg_2', times: 2 }] })
  })

  const sendText = (body: string) => rig.call('POST', `/v25.0/${lineId}/messages`, body)
  const requests = async (query = '') => at((await control('GET', `/requests${query}`)).json, 'requests')

  test('a body that is too deep is left out, and the journal stays readable', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const [deep, shallow] = [nested(200_000).slice(0, 60_000), nested(64)]
    for (const text of [nested(200_000), nested(30_000), deep, shallow, nested(65)]) await sendText(text)
    expect(await requests()).toMatchObject([
      { bodyLeftOut: 'too large', outcome: 'refused' },
      { bodyLeftOut: 'too deep', outcome: 'refused' },
      { body: deep, outcome: 'refused' },
      { body: JSON.parse(shallow), outcome: 'refused' },
      { bodyLeftOut: 'too deep', outcome: 'refused' },
    ])
  })

  test('a body that is too large is left out, its hash is not; nor are addressee and opaque data kept then', async () => {
    const huge = 'x'.repeat(BOUNDS.journalBodyBytes)
    const text = JSON.stringify({ messaging_product: 'whatsapp', to: huge, biz_opaque_callback_data: huge })
    await sendText(text)
    await sendText(huge)
    await sendText(`${huge}x`)
    expect(await requests()).toEqual([
      {
        seq: 1,
        at: rig.clock.now(),
        kind: 'send',
        line: lineId,
        bodySha256: createHash('sha256').update(text).digest('hex'),
        bodyLeftOut: 'too large',
        outcome: 'refused',
        code: 100,
      },
      expect.objectContaining({ seq: 2, body: huge }),
      expect.objectContaining({ seq: 3, bodyLeftOut: 'too large' }),
    ])
  })

  test('all bodies together have a bound: the oldest make room, their entries stay', () => {
    const journal = new Journal()
    const text = 'x'.repeat(BOUNDS.journalBodyBytes)
    const fit = BOUNDS.journalBytes / BOUNDS.journalBodyBytes
    const record = () =>
      journal.record({
        at: 0,
        kind: 'send',
        line: lineId,
        to: undefined,
        waId: undefined,
        bodySha256: '',
        opaque: undefined,
        body: { text, bytes: text.length, json: undefined },
        outcome: 'refused',
      })
    for (let count = 0; count < fit + 2; count += 1) record()
    const entries = journal.find()
    expect(entries).toHaveLength(fit + 2)
    expect(entries.slice(0, 3).map(({ bodyLeftOut }) => bodyLeftOut)).toEqual(['forgotten', 'forgotten', undefined])
    expect(entries.filter(({ body }) => body === text)).toHaveLength(fit)
    journal.clear()
    record()
    expect(journal.find()).toMatchObject([{ seq: 1, body: text }])
  })

  test('the youngest so many, and those after a number', async () => {
    for (let count = 0; count < 5; count++) await rig.text()
    const seqs = async (query: string) => {
      const list = at((await control('GET', `/requests?${query}`)).json, 'requests')
      return Array.isArray(list) ? list.map(entry => at(entry, 'seq')) : []
    }
    expect(await seqs('limit=2')).toEqual([4, 5])
    expect(await seqs('afterSeq=3')).toEqual([4, 5])
  })
})

describe('routes', () => {
  test('the description lists routes, magic recipients and lines, and each listed route exists', async () => {
    const { json } = await control('GET', '')
    expect(at(json, 'accountId')).toBe(SANDBOX.accountId)
    expect(at(json, 'magicRecipients', 0, 'number')).toBe('+1555010CCCC')
    const routes = list(at(json, 'routes'))
    expect(routes).toHaveLength(30)
    for (const row of routes) {
      const route = String(at(row, 'route'))
      expect(at(row, 'what')).toBeString()
      const [method = '', path = ''] = route.split(' ')
      if (path === '/sandbox/outage') continue
      const got = await rig.call(method, path.replaceAll(/:\w+/g, 'x'), method === 'GET' ? undefined : {})
      const isKnown = got.status !== 404 || !String(at(got.json, 'message')).startsWith('/sandbox')
      expect({ route, isKnown }).toEqual({ route, isKnown: true })
    }
  })

  test('400: bad input is answered with all its issues', async () => {
    const fault = await control('POST', '/faults', { answer: 'explode', nextt: 1 })
    expect(fault.status).toBe(400)
    expect(at(fault.json, 'issues')).toEqual([
      { path: '/nextt', message: 'is not a known field' },
      { path: '/answer', message: expect.any(String) },
    ])
    expect((await control('POST', '/callbacks/inbound', '{')).status).toBe(400)
    expect((await control('PATCH', '/settings', { lineRate: { perSecond: 0 } })).status).toBe(400)
    expect((await control('GET', '/requests?limit=x')).status).toBe(400)
    const early = await control('POST', '/faults', { answer: 'reset_on_arrival', recipient: user })
    expect(at(early.json, 'issues', 0, 'path')).toBe('/recipient')
  })

  test.each<[what: string, component: object, path: string]>([
    ['a text that is none', { type: 'BODY', text: 7 }, '/text'],
    ['a format that is none', { type: 'HEADER', format: 7 }, '/format'],
    ['a button without a type', { type: 'BUTTONS', buttons: [{ text: 'Go' }] }, '/buttons/0/type'],
  ])('400: %s in a template, and within a card as well', async (_, component, path) => {
    const put = async (...components: object[]) => {
      const got = await control('PUT', '/templates', { name: 'odd', language: 'en', components })
      return [got.status, at(got.json, 'issues', 0, 'path')]
    }
    expect(await put(component)).toEqual([400, `/components/0${path}`])
    const within = `/components/0/cards/0/components/0${path}`
    expect(await put({ type: 'CAROUSEL', cards: [{ components: [component] }] })).toEqual([400, within])
  })

  test.each<[path: string, fault: object]>([
    ['/recipient', { on: 'templates', answer: 'html', recipient: user }],
    ['/recipient', { on: 'media', answer: 'html', recipient: user }],
    ['/line', { on: 'phone_numbers', answer: 'html', line: lineId }],
    ['/line', { on: 'subscribed_apps', answer: 'reset_on_arrival', line: lineId }],
  ])('400: a fault that could never strike, for its %s', async (path, fault) => {
    const { status, json } = await control('POST', '/faults', fault)
    expect([status, at(json, 'issues')]).toEqual([400, [{ path, message: expect.any(String) }]])
    expect(at((await control('GET', '/faults')).json, 'faults')).toEqual([])
  })

  test('404: an unknown route; 500: a route that is there and fails, with the reason', async () => {
    const unknown = await control('GET', '/nowhere')
    expect([unknown.status, at(unknown.json, 'message')]).toEqual([404, '/sandbox/nowhere is unknown'])
    Object.assign(rig.sandbox.control, {
      doubles() {
        throw new Error('lost count')
      },
    })
    const failed = await control('GET', '/doubles')
    expect([failed.status, failed.json]).toEqual([
      500,
      { error: 'INTERNAL_ERROR', message: 'The sandbox failed at /sandbox/doubles: lost count' },
    ])
  })

  test('settings: a part changes, the rest stays; reset brings everything back', async () => {
    const before = (await control('GET', '/settings')).json
    await control('PATCH', '/settings', { callbacks: { silent: true }, pairLimit: { enabled: true } })
    const after = (await control('GET', '/settings')).json
    expect(at(after, 'callbacks', 'silent')).toBe(true)
    expect(at(after, 'callbacks', 'batchMax')).toBe(at(before, 'callbacks', 'batchMax'))
    expect(at(after, 'pairLimit', 'burst')).toBe(45)
    await rig.text()
    await control('DELETE', '/templates/hello_world/en_US')
    await control('PUT', '/token', { state: 'expired' })
    expect((await control('POST', '/reset')).json).toEqual({ ok: true })
    expect((await control('GET', '/settings')).json).toEqual(before)
    expect(at((await control('GET', '/requests')).json, 'totals', 'requests')).toBe(0)
    expect((await rig.template({ name: 'hello_world', language: { code: 'en_US' } })).status).toBe(200)
  })

  test('faults: on, listed, off', async () => {
    const made = await control('POST', '/faults', { answer: 'error', code: 131000 })
    expect(made.status).toBe(201)
    const id = at(made.json, 'id')
    expect(errorCode(await rig.text())).toBe(131000)
    expect(at((await control('GET', '/faults')).json, 'faults')).toMatchObject([{ id, struck: 1 }])
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(200)
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(404)
    expect((await rig.text()).status).toBe(200)
  })

  test('templates: added, sent, paused with a callback, deleted', async () => {
    const template = { name: 'mine', language: 'fr', components: [{ type: 'BODY', text: 'Salut {{1}}' }] }
    expect(at((await control('PUT', '/templates', template)).json, 'status')).toBe('APPROVED')
    const send = () =>
      rig.template({
        name: 'mine',
        language: { code: 'fr' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'x' }] }],
      })
    expect((await send()).status).toBe(200)
    expect((await control('PUT', '/templates/mine/fr/status', { status: 'PAUSED' })).status).toBe(200)
    expect(receiver.posted[0]?.text).toContain('"event":"PAUSED"')
    expect(errorCode(await send())).toBe(132015)
    expect((await control('DELETE', '/templates/mine/fr')).status).toBe(200)
    expect(errorCode(await send())).toBe(132001)
    expect((await control('PUT', '/templates/mine/fr/status', { status: 'APPROVED' })).status).toBe(404)
  })

  test('callbacks: inbound, status, batch, template update, raw, address, and what was delivered', async () => {
    const wamid = wamidOf(await rig.text())
    const calls: readonly (readonly [string, object])[] = [
      ['/callbacks/inbound', { kind: 'text', from: user, text: 'hello' }],
      ['/callbacks/status', { wamid, status: 'read' }],
      ['/callbacks/payment', { wamid, status: 'captured', reference: 'order-17', amount: 450 }],
      ['/callbacks/batch', { updates: [{ wamid, status: 'read' }] }],
      ['/callbacks/template', { name: 'hello_world', language: 'en_US', event: 'FLAGGED' }],
      ['/callbacks/raw', { payload: [], signature: 'wrong' }],
    ]
    for (const [path, body] of calls) expect((await control('POST', path, body)).json).toMatchObject({ status: 200 })
    expect(receiver.posted).toHaveLength(calls.length)
    expect(at(JSON.parse(receiver.posted[2]?.text ?? ''), 'entry', 0, 'changes', 0, 'value', 'statuses')).toMatchObject(
      [
        {
          ...{ id: wamid, recipient_id: user.replace('+', ''), type: 'payment', status: 'captured' },
          payment: { reference_id: 'order-17', amount: { value: 450, offset: 100 }, currency: 'INR' },
        },
      ],
    )
    const { json } = await control('GET', '/callbacks')
    expect(at(json, 'deliveries')).toHaveLength(calls.length)
    expect(at(json, 'pending', 'statuses')).toBe(3)
    expect((await control('PUT', '/callbacks/url', { url: null })).status).toBe(200)
    expect((await control('POST', '/callbacks/inbound', { kind: 'text', from: user })).json).toMatchObject({
      status: 0,
    })
    expect((await control('POST', '/callbacks/inbound', { kind: 'text', from: user, line: '1' })).status).toBe(404)
    const tooLarge = { kind: 'sticker', from: user, file: { size: 1_000_000 } }
    expect(await control('POST', '/callbacks/inbound', tooLarge)).toMatchObject({
      status: 400,
      json: { issues: [{ path: '/file' }] },
    })
  })

  test('an outage over HTTP is answered before the port closes', async () => {
    expect((await control('POST', '/outage', { forMs: 1_000 })).status).toBe(202)
    rig.clock.advance(1)
    let isRefused = false
    while (!isRefused)
      isRefused = await control('GET', '').then(
        () => false,
        () => true,
      )
    rig.clock.advance(1_000)
    let isBack = false
    while (!isBack)
      isBack = await control('GET', '').then(
        got => got.status === 200,
        () => false,
      )
  })

  test('a port that another program took during an outage is taken back once it is free', async () => {
    await rig.sandbox.control.outage(1_000)
    const squatter = Bun.serve({ port: rig.sandbox.port, hostname: '127.0.0.1', fetch: () => new Response('mine') })
    for (const delayMs of [1_000, 250, 250]) {
      rig.clock.advance(delayMs)
      while (rig.clock.pending === 0) await turn()
    }
    await squatter.stop(true)
    rig.clock.advance(250)
    let text = ''
    while (!text.includes('Waypost sandbox')) text = await control('GET', '').then(got => got.text, String)
    expect(rig.clock.pending).toBe(0)
  })

  test('stopping the sandbox while it waits for its port leaves nothing behind', async () => {
    await rig.sandbox.control.outage(1_000)
    const squatter = Bun.serve({ port: rig.sandbox.port, hostname: '127.0.0.1', fetch: () => new Response('mine') })
    rig.clock.advance(1_000)
    await rig.stop()
    for (let count = 0; count < 5; count += 1) await turn()
    expect(rig.clock.pending).toBe(0)
    await squatter.stop(true)
  })
})

test('options: token, account, lines and address are taken, and the port is given back', async () => {
  const first = await startSandbox({
    accessToken: 'mine',
    accountId: '7',
    lines: [{ upstreamPhoneId: '8', number: '+493023125001' }],
    clock: rig.clock,
  })
  const list = () => fetch(`${first.url}/v25.0/7/phone_numbers`, { headers: { authorization: 'Bearer mine' } })
  expect(at(await (await list()).json(), 'data', 0, 'id')).toBe('8')
  await first.stop()
  await expect(list()).rejects.toThrow()
  const second = await startSandbox({ port: first.port, clock: rig.clock })
  expect(second.port).toBe(first.port)
  await expect(startSandbox({ port: first.port, clock: rig.clock })).rejects.toThrow()
  await second.stop()
})
