import { beforeAll, describe, expect, test } from 'bun:test'
import { exampleFiles } from '../../src/sandbox/state/exampleFiles.ts'
import { sharedFixture } from '../fixture.ts'
import { files } from '../media/outgoing/files.ts'
import { at, errorCode, startRig } from './rig.ts'

const rig = sharedFixture(startRig)
const ids: Record<string, string> = {}
beforeAll(async () => {
  for (const [kind, { bytes, mimeType }] of Object.entries(exampleFiles))
    ids[kind] = String(at((await rig.upload(bytes, mimeType)).json, 'id'))
})

const link = 'https://x.example/file'
const name = { formatted_name: 'Ada Lovelace', first_name: 'Ada' }
const card = { name, phones: [{ phone: '+15550150100', type: 'CELL', wa_id: '15550150100' }], birthday: '1990-05-17' }
const words = { body: { text: 'Please choose.' } }
const sku = { catalog_id: '7', product_retailer_id: 'SKU' }
const inCard = (at: number, rest: object = {}) => ({
  card_index: at,
  type: 'cta_url',
  header: { type: 'image', image: { link } },
  body: { text: 'Aloe' },
  action: { name: 'cta_url', parameters: { display_text: 'Buy', url: link } },
  ...rest,
})
const cards = (...all: object[]) => ({ type: 'carousel', ...words, action: { cards: all } })
const address = (label: string) => ({ type: 'cta_url', cta_url: { display_text: label, url: link } })
const reply = (id: string) => ({ type: 'reply', reply: { id, title: id } })
const mixed = (...buttons: object[]) => ({ type: 'button', ...words, action: { buttons } })
const named = (type: string, action = type, parameters?: object) => ({
  type,
  ...words,
  action: { name: action, ...(parameters && { parameters }) },
})
const items = (count: number) => Array.from({ length: count }, (_, at) => ({ product_retailer_id: `SKU${at}` }))
const products = (...sections: object[]) => ({
  type: 'product_list',
  header: { type: 'text', text: 'Plants' },
  ...words,
  action: { catalog_id: '7', sections },
})

const send = (type: string, content: unknown, rest: object = {}) => rig.send({ type, [type]: content, ...rest })
const interactive = (content: object) => send('interactive', content)

describe('200', () => {
  test.each<[type: string, content: () => unknown]>([
    ['image', () => ({ id: ids.image, caption: 'x'.repeat(1_024) })],
    ['video', () => ({ link, caption: 'Look' })],
    ['document', () => ({ id: ids.document, filename: 'invoice.pdf', caption: 'Yours' })],
    ['audio', () => ({ id: ids.audio, voice: true })],
    ['sticker', () => ({ id: ids.sticker })],
    ['location', () => ({ latitude: '52.5', longitude: 13.4, name: 'Shop', address: 'Alexanderplatz 1' })],
    ['contacts', () => [card]],
    ['contacts', () => Array.from({ length: 257 }, () => card)],
    ['reaction', () => ({ message_id: 'wamid.x', emoji: '' })],
    ['text', () => ({ body: 'See https://x.example', preview_url: true })],
  ])('%s %#', async (type, content) => {
    expect((await send(type, content())).text).toContain('wamid.')
  })

  test.each<[kind: string, content: object]>([
    ['location_request_message', named('location_request_message', 'send_location')],
    ['request_contact_info', named('request_contact_info')],
    ['call_permission_request', named('call_permission_request')],
    ['voice_call', named('voice_call', 'voice_call', { display_text: 'Call us', ttl_minutes: 43_200, payload: 'p' })],
    ['voice_call without parameters', { ...named('voice_call'), header: { type: 'text', text: 'Questions?' } }],
    ['address_message', named('address_message', 'address_message', { country: 'IN' })],
    ['catalog_message', { ...named('catalog_message'), footer: { text: 'Lucky Shrub' } }],
    ['product without words', { type: 'product', action: sku }],
    [
      'product_list',
      products({ title: 'Aloes', product_items: items(15) }, { title: 'Cacti', product_items: items(15) }),
    ],
    ['carousel of pictures', cards(inCard(0), inCard(1))],
    ['carousel of products', cards(...[0, 1].map(at => ({ card_index: at, type: 'product', action: sku })))],
    ['addresses before replies', mixed(address('One'), address('Two'), ...'abcdefgh'.split('').map(reply))],
  ])('interactive: %s', async (_, content) => {
    expect((await interactive(content)).text).toContain('wamid.')
  })

  test('context: null is none, and an answer quotes', async () => {
    for (const context of [null, { message_id: 'wamid.x' }])
      expect((await send('image', { link }, { context })).text).toContain('wamid.')
  })
})

describe('refused', () => {
  test.each<[code: number, what: string, type: string, content: unknown, rest?: object]>([
    [100, 'a sticker with a caption', 'sticker', { link, caption: 'x' }],
    [100, 'an image with a file name', 'image', { link, filename: 'a.png' }],
    [100, 'a caption of 1025 characters', 'video', { link, caption: 'x'.repeat(1_025) }],
    [100, 'a voice that is no boolean', 'audio', { link, voice: 'yes' }],
    [100, 'neither id nor link', 'document', { filename: 'a.pdf' }],
    [100, 'another field of a place', 'location', { latitude: 1, longitude: 1, url: link }],
    [131009, 'a longitude beyond 180', 'location', { latitude: 1, longitude: 181 }],
    [131009, '258 cards', 'contacts', Array.from({ length: 258 }, () => card)],
    [100, 'a card without a name', 'contacts', [{ phones: card.phones }]],
    [100, 'a card with the whole name alone', 'contacts', [{ name: { formatted_name: 'Ada' } }]],
    [100, 'phones that are no list', 'contacts', [{ name, phones: { phone: '1' } }]],
    [131009, 'a birthday that is no date', 'contacts', [{ name, birthday: '17.5.1990' }]],
    [131009, 'a reaction to no message', 'reaction', { message_id: 'x', emoji: '😀' }],
    [100, 'a reaction without emoji', 'reaction', { message_id: 'wamid.x' }],
    [
      100,
      'a reaction that answers',
      'reaction',
      { message_id: 'wamid.x', emoji: '' },
      { context: { message_id: 'wamid.y' } },
    ],
    [100, 'ttl_seconds alone', 'text', { body: 'hi' }, { ttl_seconds: 60 }],
    [100, 'another category', 'text', { body: 'hi' }, { category: 'marketing' }],
  ])('%d: %s', async (code, _, type, content, rest = {}) => {
    expect(errorCode(await send(type, content, rest))).toBe(code)
  })

  test('131053: a file that is sent as another kind, and a voice that is no Opus in one channel', async () => {
    expect(errorCode(await send('video', { id: ids.image }))).toBe(131053)
    const mp3 = await rig.upload(Uint8Array.from(Buffer.from('ID3', 'latin1')), 'audio/mpeg')
    const stereo = await rig.upload(files.stereoOpus, 'audio/ogg; codecs=opus')
    for (const { json } of [mp3, stereo])
      expect(errorCode(await send('audio', { id: at(json, 'id'), voice: true }))).toBe(131053)
  })

  test.each<[code: number, what: string, content: object]>([
    [131009, 'three addresses', mixed(address('One'), address('Two'), address('Three'))],
    [131009, 'an address behind a reply', mixed(reply('a'), address('One'))],
    [131009, 'eleven buttons', mixed(address('One'), ...'abcdefghij'.split('').map(reply))],
    [131009, 'four replies alone', mixed(...'abcd'.split('').map(reply))],
    [131009, 'one card', cards(inCard(0))],
    [131009, 'an index twice', cards(inCard(0), inCard(0))],
    [131009, 'cards of two kinds', cards(inCard(0), { card_index: 1, type: 'product', action: sku })],
    [131009, 'three line breaks in a card', cards(inCard(0), inCard(1, { body: { text: 'a\nb\nc\nd' } }))],
    [131009, 'a card of 161 characters', cards(inCard(0), inCard(1, { body: { text: 'x'.repeat(161) } }))],
    [100, 'a carousel with a header', { ...cards(inCard(0), inCard(1)), header: { type: 'text', text: 'x' } }],
    [131009, '31 products', products({ title: 'All', product_items: items(31) })],
    [131008, 'a list of products without header', { ...products({ product_items: items(1) }), header: undefined }],
    [131008, 'a product without catalogue', { type: 'product', action: { product_retailer_id: 'SKU' } }],
    [100, 'a place asked for by another name', named('location_request_message')],
    [100, 'the former name of the request for a number', named('request_contact_info', 'contact_request')],
    [131009, 'a call that works for longer', named('voice_call', 'voice_call', { ttl_minutes: 43_201 })],
    [131009, 'a label of a call of 21 characters', named('voice_call', 'voice_call', { display_text: 'x'.repeat(21) })],
    [131008, 'an address without country', named('address_message', 'address_message', {})],
  ])('interactive: %d: %s', async (code, _, content) => {
    expect(errorCode(await interactive(content))).toBe(code)
  })

  test('138000: a button for a call on a line that takes none', async () => {
    rig.sandbox.control.configure({ calling: false })
    expect(errorCode(await interactive(named('voice_call')))).toBe(138000)
    rig.sandbox.control.configure({ calling: true })
  })
})
