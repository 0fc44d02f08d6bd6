import { describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { errorCode, startRig } from './rig.ts'

const rig = sharedFixture(startRig)

const reply = (id: string, title = id) => ({ type: 'reply', reply: { id, title } })
const row = (id: string, more: object = {}) => ({ id, title: id, ...more })
const rows = (count: number, prefix = 'r') => Array.from({ length: count }, (_, at) => row(`${prefix}${at}`))
const buttons = (list: unknown, more: object = {}) => ({
  type: 'button',
  body: { text: 'Choose' },
  action: { buttons: list },
  ...more,
})
const list = (sections: unknown, more: object = {}) => ({
  type: 'list',
  body: { text: 'Choose' },
  action: { button: 'Open', sections },
  ...more,
})
const link = (parameters: object) => ({
  type: 'cta_url',
  body: { text: 'Look' },
  action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'https://x.example', ...parameters } },
})
const flow = (parameters: object) => ({
  type: 'flow',
  body: { text: 'Book' },
  action: { name: 'flow', parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Book', ...parameters } },
})

describe('accepted', () => {
  const samples: readonly { name: string; interactive: object }[] = [
    {
      name: 'three buttons with header and footer',
      interactive: buttons([reply('a'), reply('b'), reply('c')], {
        header: { type: 'text', text: 'H' },
        footer: { text: 'F' },
      }),
    },
    {
      name: 'a picture by link as header',
      interactive: buttons([reply('a')], { header: { type: 'image', image: { link: 'https://x.example/a.png' } } }),
    },
    {
      name: 'ten rows in two sections, body of 4096',
      interactive: list(
        [
          { title: 'A', rows: rows(5) },
          { title: 'B', rows: rows(5, 's') },
        ],
        { body: { text: 'x'.repeat(4_096) } },
      ),
    },
    {
      name: 'a row with an empty description, which is none',
      interactive: list([{ rows: [row('x', { description: '' })] }]),
    },
    { name: 'a link', interactive: link({}) },
    {
      name: 'a link of any length: the upstream names no limit',
      interactive: link({ url: `https://x.example/${'y'.repeat(2_500)}` }),
    },
    {
      name: 'a flow with data',
      interactive: flow({
        flow_token: 't',
        mode: 'draft',
        flow_action: 'navigate',
        flow_action_payload: { screen: 'S', data: { k: 'v' } },
      }),
    },
    ...['Book © ® ™', 'Book #1 * 2', 'Réserver', '预订'].map(label => ({
      name: `a flow button without emoji: ${label}`,
      interactive: flow({ flow_cta: label }),
    })),
    {
      name: 'a kind that is only let through',
      interactive: { type: 'location_request_message', body: { text: 'Where?' }, action: { name: 'send_location' } },
    },
    ...['order_details', 'order_status', 'address_message'].map(type => ({
      name: `${type}, which the upstream takes and this program does not check`,
      interactive: { type, body: { text: 'Your order' }, action: { name: type, parameters: { reference_id: 'r1' } } },
    })),
  ]
  test('is what the upstream takes', async () => {
    for (const { name, interactive } of samples)
      expect([name, (await rig.interactive(interactive)).text]).toEqual([name, expect.stringContaining('wamid.')])
  })
})

describe('refused', () => {
  const samples: readonly { name: string; interactive: object; code: number }[] = [
    { name: '100: an unknown kind', interactive: { type: 'buttons' }, code: 100 },
    { name: '131008: no body', interactive: { ...buttons([reply('a')]), body: undefined }, code: 131008 },
    { name: '131008: no action', interactive: { type: 'button', body: { text: 'x' } }, code: 131008 },
    {
      name: '131009: a body of 1025',
      interactive: buttons([reply('a')], { body: { text: 'x'.repeat(1_025) } }),
      code: 131009,
    },
    {
      name: '131009: a footer of 61',
      interactive: buttons([reply('a')], { footer: { text: 'x'.repeat(61) } }),
      code: 131009,
    },
    { name: '131009: four buttons', interactive: buttons(['a', 'b', 'c', 'd'].map(id => reply(id))), code: 131009 },
    { name: '131009: no buttons', interactive: buttons([]), code: 131009 },
    {
      name: '131009: two buttons with one title',
      interactive: buttons([reply('a', 'T'), reply('b', 'T')]),
      code: 131009,
    },
    { name: '131009: a title of 21', interactive: buttons([reply('a', 'x'.repeat(21))]), code: 131009 },
    {
      name: '100: a header of an unknown kind',
      interactive: buttons([reply('a')], { header: { type: 'gif' } }),
      code: 100,
    },
    {
      name: '131009: a list with a picture as header',
      interactive: list([{ title: 'A', rows: rows(1) }], {
        header: { type: 'image', image: { link: 'https://x.example' } },
      }),
      code: 131009,
    },
    {
      name: '131009: eleven rows in total',
      interactive: list([
        { title: 'A', rows: rows(6) },
        { title: 'B', rows: rows(5, 's') },
      ]),
      code: 131009,
    },
    {
      name: '131009: two rows with one id',
      interactive: list([{ title: 'A', rows: [row('x'), row('x')] }]),
      code: 131009,
    },
    {
      name: '131008: a section without a title beside another',
      interactive: list([{ title: 'A', rows: rows(1) }, { rows: rows(1, 's') }]),
      code: 131008,
    },
    {
      name: '131009: a description of 73',
      interactive: list([{ title: 'A', rows: [row('x', { description: 'x'.repeat(73) })] }]),
      code: 131009,
    },
    {
      name: '100: a description that is no text',
      interactive: list([{ title: 'A', rows: [row('x', { description: null })] }]),
      code: 100,
    },
    { name: '131009: no address', interactive: link({ url: 'nowhere' }), code: 131009 },
    { name: '131009: both flow_id and flow_name', interactive: flow({ flow_name: 'n' }), code: 131009 },
    ...['😀', '❤', '✈\uFE0F', '🇩🇪', '\u{1F1E9}', '1\uFE0F\u20E3', '👍🏽'].map(emoji => ({
      name: `131009: an emoji on the flow button: ${emoji}`,
      interactive: flow({ flow_cta: `Book ${emoji}` }),
      code: 131009,
    })),
    { name: '100: an unknown mode', interactive: flow({ mode: 'test' }), code: 100 },
    {
      name: '131009: empty flow data',
      interactive: flow({ flow_action_payload: { screen: 'S', data: {} } }),
      code: 131009,
    },
    { name: '131009: an empty flow_id', interactive: flow({ flow_id: '' }), code: 131009 },
    { name: '131008: a flow payload without its screen', interactive: flow({ flow_action_payload: {} }), code: 131008 },
    { name: '131008: any kind without an action', interactive: { type: 'product' }, code: 131008 },
    { name: '100: another flow version', interactive: flow({ flow_message_version: '2' }), code: 100 },
  ]
  test('is what the upstream refuses, with its code', async () => {
    for (const { name, interactive, code } of samples)
      expect([name, errorCode(await rig.interactive(interactive))]).toEqual([name, code])
  })
})
