import { afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { Unavailable } from '../../src/base/unavailable.ts'
import { setOptOuts } from '../../src/operations/optOuts.ts'
import { callbackUrl } from '../callbacks/report.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, answerOf, type Key, startTestGateway } from '../gateway.ts'
import { callbackOf, postCallback } from '../upstream.ts'
import { graphClient } from './dropIn/graphClient.ts'

const gateway = sharedFixture(() => startTestGateway({ env: { GRAPH_API: 'on' } }))
beforeAll(() =>
  gateway.addTemplates(
    { name: 'sale', category: 'MARKETING', components: '[{"type":"BODY","text":"Sale!"}]' },
    { name: 'receipt', category: 'UTILITY', components: '[{"type":"BODY","text":"Paid."}]' },
  ),
)
afterEach(async () => {
  gateway.upstream.received.length = 0
  await set({ onOptOut: 'refuse', stopWords: null, startWords: null, optOutAnswer: null })
})

const set = (change: Parameters<typeof setOptOuts>[2]) => setOptOuts(gateway.gateway.store, gateway.workspaceId, change)

let people = 0
/** Somebody new, who writes and presses buttons. */
function person() {
  people += 1
  const phone = `+49151000000${String(people).padStart(2, '0')}`
  let count = 0
  const write = async (message: object, { field = 'messages', id = '', ago = 0 } = {}) => {
    count += 1
    const timestamp = String(Math.floor(Date.now() / 1000) - 100 + count - ago)
    const from = phone.slice(1)
    const value = {
      metadata: { display_phone_number: '15550783881', phone_number_id: gateway.line.upstreamPhoneId },
      contacts: [{ profile: { name: 'Ada' }, wa_id: from }],
    }
    const whole = { from, id: id || `wamid.${people}.${count}`, timestamp, ...message }
    const said =
      field === 'messages'
        ? { messages: [whole] }
        : field === 'history'
          ? { history: [{ metadata: { phase: 0 }, threads: [{ id: from, messages: [whole] }] }] }
          : { message_echoes: [{ ...whole, from: '15550783881', to: from }] }
    const callback = callbackOf([{ field, value: { ...value, ...said } }])
    const { status } = await postCallback(callbackUrl(gateway), callback, gateway.appSecret)
    if (status !== 200) throw new Error(`the callback was answered ${status}`)
  }
  return {
    phone,
    write,
    says: (body: string, how = {}) => write({ type: 'text', text: { body } }, how),
    sale: (as?: Key) => send(phone, 'sale', as),
    contact: async () => (await gateway.get(`/api/v1/public/contacts?phone=${phone.slice(1)}`)).json.data,
  }
}

const send = (phone: string, templateName: string, as: Key = gateway.key) =>
  gateway.send({ type: 'template', phone, templateName, templateVariables: {} }, { ...as })
const codeOf = ({ status, json }: Answer) => (status < 300 ? status : `${status} ${json.error}`)
const refused = '409 OPTED_OUT'
/** What went to a person: texts, and names of templates. */
const sentTo = (phone: string) =>
  gateway.upstream.received
    .filter(({ json }) => `+${String(json.to).replace('+', '')}` === phone)
    .map(({ json }) => json as { text?: { body: string }; template?: { name: string } })
    .map(({ text, template }) => text?.body ?? template?.name)

describe('a marketing template to who has opted out', () => {
  test('is refused with 409 OPTED_OUT, and nothing is counted or sent; everything else goes out', async () => {
    const ada = person()
    await ada.says('hello')
    expect(codeOf(await ada.sale())).toBe(201)
    await ada.says(' Stop. ')
    const before = (await gateway.messages()).length
    expect(codeOf(await ada.sale())).toBe(refused)
    expect((await gateway.messages()).length).toBe(before)
    expect(codeOf(await send(ada.phone, 'receipt'))).toBe(201)
    expect(codeOf(await gateway.send({ type: 'text', phone: ada.phone, content: 'Hello' }))).toBe(201)
    expect(sentTo(ada.phone)).toEqual(['sale', 'receipt', 'Hello'])
    await ada.says('START')
    expect(codeOf(await ada.sale())).toBe(201)
  })

  test('is refused by the number, the contact and the user id alike', async () => {
    const ada = person()
    await ada.says('parar')
    const { id } = await ada.contact()
    const template = { type: 'template', templateName: 'sale', templateVariables: {} }
    expect(codeOf(await gateway.send({ ...template, contactId: id }))).toBe(refused)
    const from = { phone: ada.phone, userId: 'DE.77', name: null, newContactId: 'contact_9' }
    const changes = [{ at: Date.now(), from, identityChange: null, upstreamPhoneId: null }]
    await gateway.gateway.store.write.followIdentities({
      channelId: gateway.channelId,
      changes,
      recordedAt: Date.now(),
    })
    expect(codeOf(await gateway.send({ ...template, userId: 'DE.77' }))).toBe(refused)
  })

  test('by the category that the platform lists now', async () => {
    const ada = person()
    await ada.says('STOP')
    expect(codeOf(await send(ada.phone, 'receipt'))).toBe(201)
    const { store } = gateway.gateway
    const [receipt] = await store.read.templates({ workspaceId: gateway.workspaceId, approved: true, name: 'receipt' })
    if (!receipt) throw new Error('it was added')
    const category = (name: string) =>
      store.write.replaceTemplates({
        ...{ channelId: gateway.channelId, at: Date.now(), recordedAt: Date.now() },
        templates: [{ ...receipt, category: name }],
      })
    const all = await store.read.templates({ workspaceId: gateway.workspaceId, approved: true })
    await category('MARKETING')
    expect(codeOf(await send(ada.phone, 'receipt'))).toBe(refused)
    await store.write.replaceTemplates({
      ...{ channelId: gateway.channelId, at: Date.now(), recordedAt: Date.now(), templates: all },
    })
  })

  test('goes out where the workspace says send; a key has the last word, either way', async () => {
    const ada = person()
    await ada.says('STOP')
    const [refusing, sending] = [
      await gateway.createKey({ onOptOut: 'refuse' }),
      await gateway.createKey({ onOptOut: 'send' }),
    ]
    const codes = async () => [
      codeOf(await ada.sale()),
      codeOf(await ada.sale(refusing)),
      codeOf(await ada.sale(sending)),
    ]
    expect(await codes()).toEqual([refused, refused, 201])
    await set({ onOptOut: 'send' })
    expect(await codes()).toEqual([201, refused, 201])
    // Also one that is kept: what it was limited to counts from the next send on.
    await gateway.gateway.store.write.limitKey({ keyId: sending.apiKey, onOptOut: 'refuse' })
    expect(codeOf(await ada.sale(sending))).toBe(refused)
  })

  test('an idempotent replay is answered as it was, whatever the person has said since', async () => {
    const ada = person()
    const body = { type: 'template', phone: ada.phone, templateName: 'sale', templateVariables: {} }
    const keyed = { ...body, idempotencyKey: `sale for ${ada.phone}` }
    const first = await gateway.send(keyed)
    await ada.says('STOP')
    const again = await gateway.send(keyed)
    expect([again.status, again.json.data.id]).toEqual([200, first.json.data.id])
    expect(codeOf(await gateway.send({ ...keyed, idempotencyKey: 'another' }))).toBe(refused)
  })

  test('is refused at once where it is to be sent later, as a check says', async () => {
    const ada = person()
    await ada.says('STOP')
    const template = { type: 'template', phone: ada.phone, templateName: 'sale', templateVariables: {} }
    const later = { ...template, sendAt: new Date(Date.now() + hourMs).toISOString() }
    const before = (await gateway.messages()).length
    expect(codeOf(await gateway.send(later))).toBe(refused)
    expect((await gateway.messages()).length).toBe(before)
    await set({ onOptOut: 'send' })
    expect((await gateway.send(later)).json.data.status).toBe('SCHEDULED')
  })

  test('a check says it, beside what else is wrong', async () => {
    const ada = person()
    await ada.says('STOP')
    const body = JSON.stringify({ type: 'template', phone: ada.phone, templateName: 'sale', templateVariables: {} })
    const headers = { ...gateway.key, 'content-type': 'application/json' }
    const checked = await answerOf(
      fetch(`${gateway.url}/api/v1/public/messages/check`, { method: 'POST', headers, body }),
    )
    expect(checked.json.data).toMatchObject({
      sendable: false,
      problems: [{ error: 'OPTED_OUT', path: '' }],
      text: 'Sale!',
    })
  })

  test('/graph answers with the platform’s code for it', async () => {
    const ada = person()
    await ada.says('STOP')
    const client = graphClient(gateway)
    const token = await client.tokenOf(['graph', 'messages:send'])
    const template = { name: 'sale', language: { code: 'en_US' } }
    const body = { messaging_product: 'whatsapp', to: ada.phone, type: 'template', template }
    const { status, json } = await client.json(`/${gateway.line.upstreamPhoneId}/messages`, 'POST', body, { token })
    expect([status, json.error.code, json.error.message]).toEqual([
      400,
      131050,
      '(#131050) User has stopped marketing messages from this business',
    ])
    expect(sentTo(ada.phone)).toEqual([])
  })
})

describe('a word opts out', () => {
  const button = { type: 'button', button: { text: 'Stop', payload: 'x' } }
  const reply = { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: '1', title: 'BAJA' } } }
  const caption = { type: 'image', image: { id: '1', caption: 'stop' } }
  const listed = { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '1', title: 'stop' } } }
  const text = (body: string) => ({ type: 'text', text: { body } })

  test.each<[what: string, message: object, how: object, expected: unknown]>([
    ['that a person wrote', text('sair'), {}, refused],
    ['of a template’s button', button, {}, refused],
    ['of a reply button', reply, {}, refused],
    ['not within a sentence', text('stop, amanhã não venho'), {}, 201],
    ['not as a caption', caption, {}, 201],
    ['not as a row of a list', listed, {}, 201],
    ['not in a group', { ...text('stop'), group_id: '1@g.us' }, {}, 201],
    ['not as an edit', { type: 'edit', edit: { original_message_id: 'x', message: text('stop') } }, {}, 201],
    ['not that the business wrote in the app', text('stop'), { field: 'smb_message_echoes' }, 201],
    ['not of the history', text('stop'), { field: 'history' }, 201],
  ])('%s', async (_, message, how, expected) => {
    const ada = person()
    await ada.write(message, how)
    expect(codeOf(await ada.sale())).toBe(expected as never)
  })

  test('callers see it with its word, at the contact and as an event', async () => {
    const ada = person()
    await ada.says('hello')
    const events = '/api/v1/public/events?type=contact.preference_changed'
    const { next } = (await gateway.get(`${events}&after=latest`)).json
    await ada.says('Stopp!')
    await ada.says('stop')
    const source = { kind: 'word', word: 'STOPP', by: null }
    const wish = { category: 'marketing_messages', value: 'stop', detail: null, source }
    const { data } = (await gateway.get(`${events}&after=${next}`)).json
    expect(data.map((event: { data: { preference: object } }) => event.data.preference)).toEqual([wish])
    const said = { ...wish, source: { ...source, word: 'STOP' }, at: expect.any(String) }
    expect((await ada.contact()).preferences).toEqual([said])
  })
})

describe('the answer', () => {
  const optOutAnswer = 'You get no more offers. START brings them back.'

  test('is sent once to who opts out by a word, however often the callback comes', async () => {
    await set({ optOutAnswer })
    const ada = person()
    await ada.says('hello')
    for (let times = 0; times < 3; times += 1) await ada.says('STOP', { id: `wamid.${ada.phone}` })
    await ada.says('stop')
    const messages = (await gateway.messages()).filter(({ recipient }) => recipient === ada.phone)
    expect(messages.map(({ type, reference, lineId }) => [type, reference, lineId])).toEqual([
      ['text', 'opt-out', gateway.line.id],
    ])
    await ada.says('start')
    await ada.says('stop')
    expect((await gateway.messages()).filter(({ recipient }) => recipient === ada.phone)).toHaveLength(2)
  })

  test('is sent when the callback comes again, if the database was away once the word was stored', async () => {
    await set({ optOutAnswer })
    const ada = person()
    await ada.says('hello')
    const stop = () => ada.says('STOP', { id: `wamid.${ada.phone}` })
    const read = spyOn(gateway.gateway.store.read, 'workspace').mockRejectedValueOnce(new Unavailable('away'))
    await expect(stop()).rejects.toThrow('the callback was answered 503')
    read.mockRestore()
    await stop()
    expect((await gateway.messages()).filter(({ recipient }) => recipient === ada.phone)).toHaveLength(1)
  })

  test('is not sent unless the workspace has one, to who takes it back, or by a callback that is days late', async () => {
    const ada = person()
    await ada.says('stop')
    await set({ optOutAnswer })
    await ada.says('start')
    const late = person()
    await late.says('stop', { ago: 25 * 3_600 })
    expect(codeOf(await late.sale())).toBe(refused)
    const reached = (await gateway.messages()).map(({ recipient }) => recipient)
    expect([reached.includes(ada.phone), reached.includes(late.phone)]).toEqual([false, false])
  })
})

describe('PUT /contacts/{contactId}/preferences', () => {
  const put = (contactId: string, body: unknown, as: Key) =>
    answerOf(
      fetch(`${gateway.url}/api/v1/public/contacts/${contactId}/preferences`, {
        method: 'PUT',
        headers: { ...as, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const wish = (value: string) => ({ category: 'marketing_messages', value })

  test('200: opts a contact out and in, and says which key did', async () => {
    const key = await gateway.createKey({ scopes: ['contacts:write'] })
    const ada = person()
    await ada.says('hello')
    const { id } = await ada.contact()
    const { status, json } = await put(id, wish('stop'), key)
    const source = { kind: 'key', word: null, by: key.apiKey }
    expect([status, json.data.id]).toEqual([200, id])
    expect(json.data.preferences).toEqual([{ ...wish('stop'), detail: null, source, at: expect.any(String) }])
    expect(codeOf(await ada.sale())).toBe(refused)
    expect((await put(id, wish('resume'), key)).json.data.preferences[0].value).toBe('resume')
    expect(codeOf(await ada.sale())).toBe(201)
  })

  test('200: a wish that changes nothing leaves no line in the audit', async () => {
    const key = await gateway.createKey({ scopes: ['contacts:write'] })
    const ada = person()
    await ada.says('hello')
    const { id } = await ada.contact()
    for (const value of ['resume', 'stop', 'stop', 'resume']) expect((await put(id, wish(value), key)).status).toBe(200)
    const entries = await gateway.gateway.store.read.auditEntries({ subject: id, limit: 9 })
    expect(entries.map(({ action }) => action)).toEqual(['contact.opt-in', 'contact.opt-out'])
  })

  test('400, 403 and 404', async () => {
    const key = await gateway.createKey({ scopes: ['contacts:write'] })
    const ada = person()
    await ada.says('hello')
    const { id } = await ada.contact()
    for (const body of [{}, wish('no'), { ...wish('stop'), category: 'other' }, { ...wish('stop'), more: 1 }])
      expect(codeOf(await put(id, body, key))).toBe('400 VALIDATION_ERROR')
    expect(codeOf(await put(id, wish('stop'), gateway.key))).toBe('403 FORBIDDEN')
    expect(codeOf(await put('contact_0', wish('stop'), key))).toBe('404 NOT_FOUND')
    const foreign = await gateway.addWorkspace()
    const other = await gateway.createKey({ workspaceId: foreign.workspaceId, scopes: ['contacts:write'] })
    expect(codeOf(await put(id, wish('stop'), other))).toBe('404 NOT_FOUND')
    expect(codeOf(await ada.sale())).toBe(201)
  })
})
