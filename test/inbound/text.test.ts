import { expect, test } from 'bun:test'
import { inboundText } from '../../src/inbound/contents.ts'

const interactive = (type: string, reply: unknown) => ({ interactive: { type, [type]: reply } })

test.each<[kind: string, message: unknown, says: string | null]>([
  ['a text', { text: { body: 'Hello' } }, 'Hello'],
  ['a button of a template', { button: { payload: 'p', text: 'Yes' } }, 'Yes'],
  ['a reply button', interactive('button_reply', { id: '1', title: 'More' }), 'More'],
  ['a row of a list', interactive('list_reply', { id: '1', title: 'Tea', description: 'green' }), 'Tea: green'],
  [
    'a form, without the token that connects it',
    interactive('nfm_reply', { response_json: '{"flow_token":"secret","size":"L","count":2}' }),
    'form: size = L, count = 2',
  ],
  ['a form that is no object', interactive('nfm_reply', { response_json: '{"flow' }), '{"flow'],
  ['a photo with words', { image: { id: '1', caption: 'Look' } }, '(image) Look'],
  ['a file', { document: { id: '1', filename: 'a.pdf' } }, '(document) a.pdf'],
  ['a voice message', { audio: { id: '1', voice: true } }, '(audio)'],
  ['a place', { location: { latitude: 52.5, longitude: 13.4, name: 'Berlin' } }, '(location) Berlin 52.5, 13.4'],
  ['a contact card', { contacts: [{ name: { formatted_name: 'Ada' } }] }, '(contact) Ada'],
  ['a reaction', { reaction: { message_id: 'wamid.1', emoji: '😀' } }, '😀'],
  [
    'an order',
    { order: { product_items: [{ product_retailer_id: 'SKU', quantity: 2 }], text: 'soon' } },
    '(order) 2 × SKU soon',
  ],
  [
    'an order with prices, which may be texts',
    {
      order: {
        text: 'ring twice',
        product_items: [
          { product_retailer_id: 'SKU-1', quantity: 2, item_price: 12.5, currency: 'BRL' },
          { product_retailer_id: 'SKU-2', quantity: '1', item_price: '3', currency: 'BRL' },
          { product_retailer_id: 'SKU-3', quantity: 3, item_price: 0.1, currency: 'BRL' },
        ],
      },
    },
    '(order) 2 × SKU-1 (12.50 BRL), 1 × SKU-2 (3.00 BRL), 3 × SKU-3 (0.10 BRL), total 28.30 BRL ring twice',
  ],
  [
    'an order in two currencies has no total',
    {
      order: {
        product_items: [
          { product_retailer_id: 'A', quantity: 1, item_price: 1.125, currency: 'KWD' },
          { product_retailer_id: 'B', quantity: 1, item_price: 2, currency: 'EUR' },
        ],
      },
    },
    '(order) 1 × A (1.125 KWD), 1 × B (2.00 EUR)',
  ],
  [
    'contact cards, also without a whole name',
    {
      contacts: [
        { name: { formatted_name: 'Dee Test' }, phones: [{ phone: '+1 555-0150-140' }, { phone: '+1 555-0150-141' }] },
        { name: { first_name: 'Eve', last_name: 'Test' }, phones: [{ wa_id: '15550150142' }] },
      ],
    },
    '(contact) Dee Test +1 555-0150-140, +1 555-0150-141; Eve Test 15550150142',
  ],
  [
    'a kind that is not delivered, with its error',
    { type: 'unsupported', unsupported: { type: 'poll' }, errors: [{ code: 131051, title: 'Message type unknown' }] },
    '(not readable: poll: Message type unknown)',
  ],
  ['a change of number', { system: { body: 'User changed number' } }, 'User changed number'],
  [
    'what the upstream cannot show',
    { errors: [{ title: 'Message type unknown' }] },
    '(not readable: Message type unknown)',
  ],
  ['a removed reaction', { type: 'reaction', reaction: { message_id: 'wamid.1' } }, '(reaction removed)'],
  ['calls are allowed', interactive('call_permission_reply', { response: 'accept' }), '(calls) allowed'],
  [
    'calls are allowed until a moment',
    interactive('call_permission_reply', { response: 'accept', is_permanent: false, expiration_timestamp: 1767225600 }),
    '(calls) allowed until 2026-01-01T00:00:00.000Z',
  ],
  [
    'calls are allowed for good',
    interactive('call_permission_reply', { response: 'accept', is_permanent: true }),
    '(calls) allowed for good',
  ],
  [
    'calls are refused, at an impossible moment',
    interactive('call_permission_reply', { response: 'reject', expiration_timestamp: 1e99 }),
    '(calls) refused',
  ],
  ['a deleted message', { type: 'revoke', revoke: { original_message_id: 'wamid.1' } }, '(message deleted)'],
  [
    'an edited message',
    { type: 'edit', edit: { original_message_id: 'wamid.1', message: { type: 'text', text: { body: 'Monday' } } } },
    '(edited) Monday',
  ],
  ['an edit that cannot be read', { type: 'edit', edit: { original_message_id: 'wamid.1' } }, '(edited)'],
  [
    'an answer with an error beside it',
    { ...interactive('button_reply', { id: '1', title: 'More' }), errors: [{ code: 131060, title: 'Unavailable' }] },
    'More (not readable: Unavailable)',
  ],
  [
    'an error in the place of an answer',
    { type: 'interactive', interactive: { type: 'nfm_reply', errors: [{ message: 'No reply' }] } },
    '(not readable: No reply)',
  ],
  ['a form without its fields', interactive('nfm_reply', { name: 'flow', body: 'Sent' }), 'Sent'],
  ['a kind that is not delivered', { type: 'unsupported', unsupported: { type: 'poll' } }, '(not readable: poll)'],
  ['a file of long ago', { type: 'media_placeholder' }, '(file)'],
  ['an unknown kind', { poll: { question: 'x' } }, null],
  ['nothing readable', { text: 5, contacts: 'x', order: [] }, null],
])('%s', (_, message, says) => {
  expect(inboundText(message)).toBe(says)
})
