import { describe } from 'bun:test'
import { button, buttons, chars, flow, judge, link, list, type Row, reply, row, sections, tooLong } from './samples.ts'

describe('button', () => {
  const at = '/action/buttons'
  judge([
    ['no action', button({ action: undefined }), ['/action is required'], 131008],
    ['no buttons', button({ action: {} }), [`${at} is required`], 131008],
    ['zero', buttons(), [`${at} must have 1 to 3 elements`]],
    ['three', buttons(reply('1', 'a'), reply('2', 'b'), reply('3', 'c')), []],
    ['four', buttons(...['1', '2', '3', '4'].map(n => reply(n, n))), [`${at} must have 1 to 3 elements`]],
    [
      'two titles',
      buttons(reply('1', 'a'), reply('2', 'a')),
      [`${at}/1/reply/title must be unique; /content${at}/0/reply/title is the same`],
    ],
    ['limits reached', buttons(reply(chars(256), chars(20))), []],
    [
      'limits passed',
      buttons(reply(chars(257), chars(21))),
      [tooLong(`${at}/0/reply/id`, 256), tooLong(`${at}/0/reply/title`, 20)],
    ],
    [
      'the same twice',
      buttons(reply('1', 'a'), reply('1', 'a')),
      [
        `${at}/1/reply/id must be unique; /content${at}/0/reply/id is the same`,
        `${at}/1/reply/title must be unique; /content${at}/0/reply/title is the same`,
      ],
    ],
    ['an empty id', buttons(reply('', 'a')), [`${at}/0/reply/id must not be empty`]],
    ['an empty title', buttons(reply('1', '')), [`${at}/0/reply/title must not be empty`]],
    ['a title of 20 emoji', buttons(reply('1', '😀'.repeat(20))), []],
    ['a title of 21 emoji', buttons(reply('1', '😀'.repeat(21))), [tooLong(`${at}/0/reply/title`, 20)]],
    [
      'missing parts',
      buttons({}, { type: 'url', reply: {} }, 'x'),
      [
        `${at}/0/type is required`,
        `${at}/0/reply is required`,
        `${at}/1/type must be reply`,
        `${at}/1/reply/id is required`,
        `${at}/1/reply/title is required`,
        `${at}/2 must be an object`,
      ],
      100,
    ],
  ])
})

describe('list', () => {
  const at = '/action/sections'
  const rowsOf = (from: number, count: number) => Array.from({ length: count }, (_, n) => row(`${from + n}`))
  judge([
    [
      'no button',
      list({ action: { sections: [{ title: 'a', rows: [row('1')] }] } }),
      ['/action/button is required'],
      131008,
    ],
    ['no sections', sections(), [`${at} must have 1 to 10 elements`]],
    ['ten sections', sections(...rowsOf(0, 10).map(each => ({ title: 'a', rows: [each] }))), []],
    [
      'eleven sections',
      sections(...rowsOf(0, 11).map(each => ({ title: 'a', rows: [each] }))),
      [`${at} must have 1 to 10 elements`],
    ],
    ['a row without id', sections({ rows: [row('1', { id: undefined })] }), [`${at}/0/rows/0/id is required`], 131008],
    [
      'a row without title',
      sections({ rows: [row('1', { title: undefined })] }),
      [`${at}/0/rows/0/title is required`],
      131008,
    ],
    ['ten rows in one section', sections({ title: 'a', rows: rowsOf(0, 10) }), []],
    ['eleven rows in one', sections({ title: 'a', rows: rowsOf(0, 11) }), [`${at}/0/rows must have 1 to 10 elements`]],
    [
      'eleven rows in two',
      sections({ title: 'a', rows: rowsOf(0, 5) }, { title: 'b', rows: rowsOf(5, 6) }),
      [`${at} must have at most 10 rows in all`],
    ],
    ['an empty description, which is none', sections({ rows: [row('1', { description: '' })] }), []],
    [
      'no text as description',
      sections({ rows: [row('1', { description: 7 })] }),
      [`${at}/0/rows/0/description must be a string`],
      100,
    ],
    ['a section without title that stands alone', sections({ rows: [row('1')] }), []],
    ['an empty title', sections({ title: '', rows: [row('1')] }), [`${at}/0/title must not be empty`]],
    [
      'a section without title beside another',
      sections({ title: 'a', rows: [row('1')] }, { rows: [row('2')] }),
      [`${at}/1/title is required`],
      131008,
    ],
    ['a section without rows', sections({ title: 'a', rows: [] }), [`${at}/0/rows must have 1 to 10 elements`], 131008],
    [
      'the same row id in two sections',
      sections({ title: 'a', rows: [row('1')] }, { title: 'b', rows: [row('1')] }),
      [`${at}/1/rows/0/id must be unique; /content${at}/0/rows/0/id is the same`],
    ],
    [
      'limits passed',
      list({
        action: {
          button: chars(21),
          sections: [{ title: chars(25), rows: [{ id: chars(201), title: chars(25), description: chars(73) }] }],
        },
      }),
      [
        tooLong('/action/button', 20),
        tooLong(`${at}/0/title`, 24),
        tooLong(`${at}/0/rows/0/id`, 200),
        tooLong(`${at}/0/rows/0/title`, 24),
        tooLong(`${at}/0/rows/0/description`, 72),
      ],
    ],
    [
      'limits reached',
      list({
        action: {
          button: chars(20),
          sections: [{ title: chars(24), rows: [{ id: chars(200), title: chars(24), description: chars(72) }] }],
        },
      }),
      [],
    ],
  ])
})

describe('cta_url', () => {
  const at = '/action/parameters'
  judge([
    ['http', link({ url: 'http://x.example' }), []],
    ['another scheme', link({ url: 'tel:+12025550123' }), [`${at}/url must be an http or https URL`]],
    [
      'no url and a long text',
      link({ url: undefined, display_text: chars(21) }),
      [tooLong(`${at}/display_text`, 20), `${at}/url is required`],
    ],
    ['a script', link({ url: 'javascript:alert(1)' }), [`${at}/url must be an http or https URL`]],
    ['a url without a scheme', link({ url: 'x.example' }), [`${at}/url must be an http or https URL`]],
    ['no label', link({ display_text: undefined }), [`${at}/display_text is required`], 131008],
    ['no parameters', link({}, { action: { name: 'cta_url' } }), [`${at} is required`], 131008],
    [
      'another action',
      link({}, { action: { name: 'flow' } }),
      ['/action/name must be cta_url', `${at} is required`],
      100,
    ],
  ])
})

describe('flow', () => {
  const at = '/action/parameters'
  judge([
    [
      'the least',
      flow({ flow_token: undefined, mode: undefined, flow_action: undefined, flow_action_payload: undefined }),
      [],
    ],
    ['by name', flow({ flow_id: undefined, flow_name: 'signup' }), []],
    ['id and name', flow({ flow_name: 'signup' }), [`${at} must have either flow_id or flow_name`]],
    ['neither', flow({ flow_id: undefined }), [`${at} must have either flow_id or flow_name`]],
    ['a numeric id', flow({ flow_id: 1 }), [`${at}/flow_id must be a string`], 100],
    ['no version', flow({ flow_message_version: undefined }), [`${at}/flow_message_version is required`], 100],
    ['no label', flow({ flow_cta: undefined }), [`${at}/flow_cta is required`], 131008],
    ['a label of 31', flow({ flow_cta: chars(31) }), [tooLong(`${at}/flow_cta`, 30)]],
    ...['🚀', '😀', '❤️', '❤', '✈\uFE0F', '1️⃣', '🇩🇪', '\u{1F1E9}', '👍🏽'].map(
      (emoji): Row => [
        `${emoji} in the label`,
        flow({ flow_cta: `Go ${emoji}` }),
        [`${at}/flow_cta must not contain emoji`],
      ],
    ),
    ...['Acme™ #1 © ®', '#1 © * 2', 'Réserver', '预订'].map(
      (label): Row => [`the label ${label}`, flow({ flow_cta: label }), []],
    ),
    ['an empty id', flow({ flow_id: '' }), [`${at}/flow_id must not be empty`]],
    ['another mode', flow({ mode: 'test' }), [`${at}/mode must be draft or published`], 100],
    ['another action', flow({ flow_action: 'open' }), [`${at}/flow_action must be navigate or data_exchange`], 100],
    [
      'data_exchange and draft',
      flow({ flow_action: 'data_exchange', mode: 'draft', flow_action_payload: undefined }),
      [],
    ],
    ['a payload without data', flow({ flow_action_payload: { screen: 'A' } }), []],
    [
      'empty data',
      flow({ flow_action_payload: { screen: 'A', data: {} } }),
      [`${at}/flow_action_payload/data must be an object that is not empty`],
    ],
    ['an empty token', flow({ flow_token: '' }), [`${at}/flow_token must not be empty`], null],
    [
      'data as a string',
      flow({ flow_action_payload: { screen: 'A', data: '{}' } }),
      [`${at}/flow_action_payload/data must be an object that is not empty`],
      null,
    ],
    ['no screen', flow({ flow_action_payload: {} }), [`${at}/flow_action_payload/screen is required`], 131008],
  ])
})
