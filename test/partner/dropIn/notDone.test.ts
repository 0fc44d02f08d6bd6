import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { sharedFixture } from '../../fixture.ts'
import { startTestGateway } from '../../gateway.ts'
import { accept } from '../../upstream.ts'
import { failure, graphClient, reached } from './graphClient.ts'

/* What is not done is refused: an answer of success would be taken for all of what was asked. */

const gateway = sharedFixture(() =>
  startTestGateway({ env: { GRAPH_API: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }),
)
let client: ReturnType<typeof graphClient>
let token = ''
beforeAll(async () => {
  client = graphClient(gateway)
  token = await client.tokenOf(['graph', 'graph:pass', 'messages:send', 'inbound', 'webhooks'])
})
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
})
const line = () => gateway.line.upstreamPhoneId
const account = '/100001/subscribed_apps'
const url = 'https://inbox.example.com/hook'
const inQuery = `?override_callback_uri=${encodeURIComponent(url)}`

/** @returns the status with the code, and what is wrong */
async function refusal(path: string, method: string, body: unknown): Promise<string> {
  const answer = await (body === undefined
    ? client.ask(path, { method, token })
    : client.json(path, method, body, { token }))
  expect(reached(gateway)).toEqual([])
  return `${failure(answer)} ${answer.json.error?.error_data.details}`
}
const endpoints = async () => (await gateway.gateway.store.read.webhooks(gateway.workspaceId)).map(hook => hook.url)

test.each([
  ['POST', `${inQuery}&verify_token=a`, undefined, /^override_callback_uri: .+; verify_token: /],
  ['POST', '?method=delete', { override_callback_uri: url }, /^method: is not read from the query/],
  ['POST', '', { override_callback_uri: [url] }, /^override_callback_uri: must be a text/],
  ['POST', '', { override_callback_uri: { url } }, /^override_callback_uri: must be a text/],
  ['POST', '', { override_callback_uri: 7 }, /^override_callback_uri: must be a text/],
  ['POST', '', { override_callback_uri: false }, /^override_callback_uri: must be a text/],
  ['POST', '', { override_callback_uri: '' }, /^override_callback_uri: /],
  ['POST', '', { override_callback_uri: url, verify_token: 7 }, /^verify_token: must be a text/],
  ['POST', '', { override_callback_uri: url, verify_token: 'a'.repeat(513) }, /^verify_token: /],
  ['POST', '', { verify_token: 'a' }, /^override_callback_uri: is required/],
  ['POST', '', { Override_Callback_Uri: url }, /^Override_Callback_Uri: is not a known field/],
  ['POST', '', { callback_url: url }, /^callback_url: is not a known field/],
  ['POST', '', { subscribed_fields: 'messages' }, /^subscribed_fields: /],
  ['POST', '', [{ override_callback_uri: url }], /^body: must be an object/],
  ['POST', '', url, /^body: must be an object/],
  ['POST', '', null, /^body: must be an object/],
  ['DELETE', inQuery, undefined, /^override_callback_uri: /],
  ['DELETE', '', { override_callback_uri: url }, /^override_callback_uri: is not a known field/],
])('%s of subscribed_apps%s with %j', async (method, query, body, words) => {
  expect(await refusal(`${account}${query}`, method, body)).toMatch(new RegExp(`^400 100 ${words.source.slice(1)}`))
  expect(await endpoints()).toEqual([])
})

test.each([
  ['', { webhook_configuration: { override_callback_uri: url }, pin: '1' }, /^pin: is not a known field/],
  ['?pin=1', { webhook_configuration: { override_callback_uri: url } }, /^pin: is not read from the query/],
  ['', { webhook_configuration: { override_callback_uri: '' }, new_display_name: 'A' }, /^new_display_name: /],
  [
    '',
    { webhook_configuration: { override_callback_uri: url, application: url } },
    /^webhook_configuration.application: /,
  ],
  ['', { webhook_configuration: {} }, /^webhook_configuration.override_callback_uri: is/],
  ['', { webhook_configuration: { override_callback_uri: null } }, /^webhook_configuration.override_callback_uri: /],
  ['', { webhook_configuration: { override_callback_uri: [url] } }, /^webhook_configuration.override_callback_uri: /],
  [
    '',
    { webhook_configuration: { override_callback_uri: url, verify_token: [] } },
    /^webhook_configuration.verify_token: /,
  ],
  ['', { webhook_configuration: [] }, /^webhook_configuration: must be an object/],
  ['', { webhook_configuration: null }, /^webhook_configuration: must be an object/],
  [
    '',
    { webhook_configuration: JSON.stringify({ override_callback_uri: url }) },
    /^webhook_configuration: must be an object/,
  ],
])('a line%s with %j', async (query, body, words) => {
  expect(await refusal(`/${line()}${query}`, 'POST', body)).toMatch(new RegExp(`^400 100 ${words.source.slice(1)}`))
  expect(await endpoints()).toEqual([])
})

const send = { messaging_product: 'whatsapp', to: '4915112345678', type: 'text', text: { body: 'Hi' } }
const read = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.a' }
const template = { name: 'plain', language: { code: 'en' } }
test.each([
  ['', { ...send, forward: true }, /^forward: is not a known field/],
  ['', { ...send, image: { link: 'https://example.com/a.png' } }, /^image: is not a known field/],
  ['', { ...send, text: { body: 'Hi', preview_url: 'yes' } }, /^text.preview_url: must be true or false/],
  ['', { ...send, text: { body: 'Hi', bold: true } }, /^text.bold: is not a known field/],
  ['', { ...send, context: 'wamid.a' }, /^context: must be an object/],
  ['', { ...send, messaging_product: 'sms' }, /^messaging_product: must be one of whatsapp/],
  ['', { ...send, category: 'marketing' }, /^category: must be one of/],
  ['', { ...send, category: 'utility', ttl_seconds: '60' }, /^ttl_seconds: must be a whole number/],
  ['', { ...send, ttl_seconds: 60 }, /^ttl_seconds: needs a category/],
  ['', { ...send, type: 'template', text: null, template: { ...template, namespace: 'a' } }, /^template.namespace: /],
  ['', { ...send, type: 'template', text: null, template, category: 'utility' }, /^category: is for a text or/],
  ['?biz_opaque_callback_data=a', send, /^biz_opaque_callback_data: is not read from the query/],
  ['', { ...read, typing_indicator: 'text' }, /^typing_indicator: must be an object/],
  ['', { ...read, typing_indicator: { type: 'audio' } }, /^typing_indicator.type: must be one of text/],
  ['', { ...read, to: send.to, text: send.text }, /^to: is not a known field; text: is not a known field/],
  ['?typing_indicator=text', read, /^typing_indicator: is not read from the query/],
])('a message%s with %j', async (query, body, words) => {
  expect(await refusal(`/${line()}/messages${query}`, 'POST', body)).toMatch(
    new RegExp(`^400 100 ${words.source.slice(1)}`),
  )
})

const emoji = '😀'
const longText = (body: string) => ({ ...send, text: { body } })
const other = (type: string, content: unknown) => ({ to: send.to, type, [type]: content })
const picture = { link: 'https://files.example.com/a.png' }
const button = (text: string) => ({
  ...{ type: 'button', body: { text } },
  action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
})
const card = { name: { formatted_name: 'Ada L', first_name: 'Ada' } }
test.each([
  ['a text', longText('x'.repeat(4_097)), /^text.body: must not have more than 4096 characters$/],
  ['a text of emoji', longText(emoji.repeat(4_097)), /^text.body: must not have more than 4096 characters$/],
  ['no text', longText(''), /^text.body: must not be empty$/],
  ['a blank text', longText(' \n'), /^text.body: must not be white space alone$/],
  ['a Direct Send', { ...longText('x'.repeat(1_025)), category: 'utility' }, /^text.body: .+ 1024 characters with/],
  ['a caption', other('image', { ...picture, caption: 'x'.repeat(1_025) }), /^image.caption: .+ than 1024 characters$/],
  ['a body', other('interactive', button('x'.repeat(1_025))), /^interactive.body.text: .+1024 characters/],
  ['a name', other('document', { ...picture, filename: 'x'.repeat(241) }), /^document.filename: .+ 240 characters$/],
  ['an id', other('audio', { id: '1'.repeat(257) }), /^audio.id: .+ 256 characters$/],
  ['an unknown field', other('image', { ...picture, Alt_Text: 'A' }), /^image.Alt_Text: is not a known field$/],
  ['no content', other('sticker', undefined), /^sticker: is missing/],
  ['a list', other('video', []), /^video: must be an object$/],
  ['a text for a picture', other('image', 'https://files.example.com/a.png'), /^image: must be an object$/],
  ['degrees', other('location', { latitude: '91', longitude: '1,5' }), /^location.latitude: .+; location.longitude: /],
  ['no degrees', other('location', { latitude: 1, longitude: '' }), /^location.longitude: is required$/],
  [
    'cards',
    other('contacts', [card, { ...card, phones: [{ wa_id: 7 }], birthday: 'May' }]),
    /^(?=.*contacts.1.phones.0.wa_id: must be a text)(?=.*contacts.1.birthday: )/,
  ],
  ['a card without its name', other('contacts', [{ name: { formatted_name: '' } }]), /^contacts.0.name: is required$/],
  ['cards that are none', other('contacts', card), /^contacts: must be a list$/],
])('%s beyond its form is refused, and the field is named', async (_what, body, words) => {
  expect(await refusal(`/${line()}/messages`, 'POST', body)).toMatch(new RegExp(`^400 100 ${words.source.slice(1)}`))
})

test.each([
  ['a text', longText('x'.repeat(4_096)), undefined],
  ['emoji', longText(emoji.repeat(4_096)), undefined],
  [
    'degrees as texts',
    other('location', { latitude: '37.442162', longitude: '-122.161' }),
    { latitude: 37.442162, longitude: -122.161 },
  ],
  [
    'an empty name and address',
    other('location', { latitude: 1, longitude: 2, name: '', address: null }),
    { latitude: 1, longitude: 2 },
  ],
  ['an empty caption', other('image', { id: '7', link: '', caption: '' }), { id: '7' }],
  ['an empty name of a file', other('document', { id: '7', filename: '', caption: 'A' }), { id: '7', caption: 'A' }],
  [
    'empty parts of a card',
    other('contacts', [
      {
        ...{ ...card, birthday: '', org: { company: '', title: '' }, urls: null },
        ...{
          phones: [
            { phone: '', type: '' },
            { phone: '+1', wa_id: '' },
          ],
          emails: [],
        },
      },
    ]),
    [{ ...card, phones: [{ phone: '+1' }], emails: [] }],
  ],
  [
    'an empty emoji, which takes a reaction back',
    other('reaction', { message_id: 'wamid.a', emoji: '' }),
    { message_id: 'wamid.a', emoji: '' },
  ],
])('%s goes to the platform', async (_what, body, content) => {
  const answer = await client.json(`/${line()}/messages`, 'POST', body, { token })
  expect(answer.status).toBe(200)
  const [sent] = gateway.upstream.received
  expect<unknown>(sent?.json[body.type]).toEqual(content ?? (body as typeof send).text)
})

test('what says nothing is taken: the names of fields without an address, null, and the token in the address', async () => {
  for (const body of [{}, { subscribed_fields: ['messages', 'smb_message_echoes'] }, { override_callback_uri: null }]) {
    const answer = await client.json(`${account}?access_token=${token}&appsecret_proof=a`, 'POST', body, {})
    expect(answer.json).toEqual({ success: true })
  }
  expect((await client.json(account, 'DELETE', {}, { token })).json).toEqual({ success: true })
  const inChunks = () => new Blob([]).stream()
  for (const method of ['POST', 'DELETE'])
    expect((await client.ask(account, { method, body: inChunks(), token })).json).toEqual({ success: true })
  gateway.upstream.answer = () => Response.json({ success: true })
  expect((await client.ask(`/${line()}`, { method: 'POST', body: inChunks(), token })).json).toEqual({ success: true })
})
