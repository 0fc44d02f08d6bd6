import { describe, expect, test } from 'bun:test'
import type { TemplateComponent, TemplateRecord } from '../../src/graph/wire.ts'
import {
  authentication,
  catalog,
  components,
  couponReminder,
  invoice,
  issues,
  manyButtons,
  named,
  record,
  render,
} from './fixtures.ts'

const text = (value: string) => ({ type: 'text', text: value })
const url = (index: string, value: string) => ({ type: 'button', sub_type: 'url', index, parameters: [text(value)] })

describe('special keys in templateVariables', () => {
  test('header, body and URL button with the same number get the same string', () => {
    expect(components(couponReminder, { templateVariables: { 1: 'SUMMER20', 2: '10' } })).toEqual([
      { type: 'header', parameters: [text('SUMMER20')] },
      { type: 'body', parameters: [text('SUMMER20'), text('10')] },
      url('0', 'SUMMER20'),
    ])
  })

  test('numbers are taken literally: sent in ascending order, each once', () => {
    const template = record([{ type: 'BODY', text: '{{2}} and {{10}}, {{2}} again, {{1}}' }])
    expect(components(template, { templateVariables: { 10: 'ten', 1: 'one', 2: 'two' } })).toEqual([
      { type: 'body', parameters: [text('one'), text('two'), text('ten')] },
    ])
  })

  test('copy_code becomes a coupon, and indexes count the buttons without a value', () => {
    expect(components(manyButtons, { templateVariables: { 1: '77', copy_code: 'SAVE20' } })).toEqual([
      url('3', '77'),
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '4',
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }],
      },
    ])
  })

  test('catalog_product_retailer_id is optional on a catalog button', () => {
    const action = { thumbnail_product_retailer_id: 'SKU-1' }
    const values = { templateVariables: { catalog_product_retailer_id: 'SKU-1' } }
    const button = { type: 'button', index: '0', parameters: [{ type: 'action', action }] }
    expect(components(catalog, { templateVariables: {} })).toEqual([])
    expect(components(catalog, values)).toEqual([{ ...button, sub_type: 'catalog' }])
  })

  const products = (text?: string) => record([{ type: 'BUTTONS', buttons: [{ type: 'MPM', ...(text && { text }) }] }])

  test.each([
    ['View items', 'View items'],
    ['  A label that is longer than a title', 'A label that is longer t'],
    [undefined, 'Products'],
  ])('a multi-product button labelled %j opens with a section %j of that product', (label, title) => {
    const action = {
      thumbnail_product_retailer_id: 'SKU-1',
      sections: [{ title, product_items: [{ product_retailer_id: 'SKU-1' }] }],
    }
    expect(components(products(label), { templateVariables: { catalog_product_retailer_id: 'SKU-1' } })).toEqual([
      { type: 'button', sub_type: 'mpm', index: '0', parameters: [{ type: 'action', action }] },
    ])
  })

  test('a multi-product button without a product is refused, and both ways to give one are named', () => {
    expect(issues(products(), { templateVariables: {} })).toEqual([
      '/templateVariables/catalog_product_retailer_id is required: the template has a multi-product button, which opens ' +
        'with this product (or give its sections by templateComponents)',
    ])
  })

  test('a template with nothing to fill has no components', () => {
    expect(components(record([{ type: 'BODY', text: 'Hello' }]), { templateVariables: {} })).toEqual([])
  })

  test('an authentication code goes to the body and to button 0', () => {
    const sent = [{ type: 'body', parameters: [text('123456')] }, url('0', '123456')]
    expect(components(authentication, { templateVariables: { 1: '123456' } })).toEqual(sent)
    expect(components(authentication, { templateVariables: { 1: '9' }, bodyParameters: { 1: '123456' } })).toEqual(sent)
  })

  test('named parameters carry their name', () => {
    const name = { type: 'text', parameter_name: 'first_name', text: 'Ana' }
    const values = { templateVariables: { day: 'Monday', first_name: 'Ana', 1: 'a' } }
    expect(components(named, values)).toEqual([
      { type: 'header', parameters: [name] },
      { type: 'body', parameters: [name, { type: 'text', parameter_name: 'day', text: 'Monday' }] },
      url('0', 'a'),
    ])
  })

  test('a flow button is named in the send, with the token that the upstream would assume', () => {
    const template = record([{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY' }, { type: 'FLOW' }] }])
    expect(components(template, {})).toEqual([
      {
        type: 'button',
        sub_type: 'flow',
        index: '1',
        parameters: [{ type: 'action', action: { flow_token: 'unused' } }],
      },
    ])
  })

  const visit = record([{ type: 'BUTTONS', buttons: [{ type: 'FLOW' }] }])

  test("a flow button's token and data are given by keys, the data as JSON text", () => {
    const templateVariables = { flow_token: 'visit-17', flow_action_data: '{"name":"Ada","slots":[9,10]}' }
    const action = { flow_token: 'visit-17', flow_action_data: { name: 'Ada', slots: [9, 10] } }
    expect(components(visit, { templateVariables })).toEqual([
      { type: 'button', sub_type: 'flow', index: '0', parameters: [{ type: 'action', action }] },
    ])
  })

  const needsObject = 'must be the JSON text of an object that is not empty'
  test.each([
    ['flow_token', '', 'must not be empty'],
    ['flow_token', 'x'.repeat(2049), 'must be at most 2048 characters long'],
    ['flow_action_data', '{"name":', needsObject],
    ['flow_action_data', '["Ada"]', needsObject],
    ['flow_action_data', '{}', needsObject],
    ['flow_action_data', `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`, 'must not be nested deeper than 16 levels'],
    [
      'flow_action_data',
      '{"id":12345678901234567890}',
      'has a number at /id that is beyond the numbers that JSON keeps exactly; write it as a string',
    ],
  ])('%s %j is refused: %s', (key, value, problem) => {
    expect(issues(visit, { templateVariables: { [key]: value } })).toEqual([`/templateVariables/${key} ${problem}`])
  })

  test('a template without a flow button takes neither', () => {
    expect(issues(catalog, { templateVariables: { flow_token: 'x' } })).toEqual([
      '/templateVariables/flow_token is not a variable of this template; it takes catalog_product_retailer_id',
    ])
  })
})

describe('bodyParameters', () => {
  test('override the slots of the main body, after templateVariables, and nothing else', () => {
    expect(
      components(couponReminder, { templateVariables: { 1: 'code', 2: '10' }, bodyParameters: { 1: 'Ana' } }),
    ).toEqual([
      { type: 'header', parameters: [text('code')] },
      { type: 'body', parameters: [text('Ana'), text('10')] },
      url('0', 'code'),
    ])
  })

  test('fill a header or button of the same number that nothing else fills', () => {
    expect(components(couponReminder, { bodyParameters: { 1: 'Ana', 2: '10' } })).toEqual([
      { type: 'header', parameters: [text('Ana')] },
      { type: 'body', parameters: [text('Ana'), text('10')] },
      url('0', 'Ana'),
    ])
  })

  test('a key that is not in the main body is refused, even if a button has it', () => {
    expect(issues(manyButtons, { templateVariables: { 1: 'a', copy_code: 'b' }, bodyParameters: { 1: 'x' } })).toEqual([
      "/bodyParameters/1 is not in the template's body; it takes none",
    ])
    expect(issues(invoice, { templateVariables: { 1: 'a', header: '1' }, bodyParameters: { 3: 'x' } })).toEqual([
      "/bodyParameters/3 is not in the template's body; it takes 1",
    ])
  })
})

describe('media header outside carousels', () => {
  const body = { type: 'body', parameters: [text('A-1')] }

  test('header takes a media id', () => {
    expect(components(invoice, { templateVariables: { 1: 'A-1', header: '4490709327384033' } })).toEqual([
      { type: 'header', parameters: [{ type: 'document', document: { id: '4490709327384033' } }] },
      body,
    ])
  })

  test('header_link is left in place and named for uploading', () => {
    const link = 'https://files.example/a.pdf'
    expect<unknown>(render(invoice, { templateVariables: { 1: 'A-1', header_link: link } })).toEqual({
      ok: true,
      components: [{ type: 'header', parameters: [{ type: 'document', document: { link, filename: 'a.pdf' } }] }, body],
      media: [{ format: 'document', link, path: '/templateVariables/header_link' }],
    })
  })

  const names: readonly [what: string, values: Record<string, string>, filename: string | undefined][] = [
    ['as it is given', { header_link: 'https://x.example/9', header_filename: 'Invoice 9.pdf' }, 'Invoice 9.pdf'],
    ['beside a media id', { header: '1', header_filename: 'Invoice 9.pdf' }, 'Invoice 9.pdf'],
    ['a media id has none', { header: '1' }, undefined],
    ['of the path, decoded', { header_link: 'https://x.example/a/R%C3%A9sum%C3%A9.pdf?v=2#p' }, 'Résumé.pdf'],
    ['of a path that is not encoded well', { header_link: 'https://x.example/100%.pdf' }, '100%.pdf'],
    ['a path without one', { header_link: 'https://x.example/a/' }, undefined],
    ['too long for one', { header_link: `https://x.example/${'n'.repeat(161)}.pdf` }, `${'n'.repeat(146)}.pdf`],
  ]
  test.each(names)("a document's name: %s", (_, values, filename) => {
    const { header: id, header_link: link } = values
    const document = { ...(id ? { id } : { link }), ...(filename && { filename }) }
    expect(components(invoice, { templateVariables: { 1: 'A-1', ...values } })).toEqual([
      { type: 'header', parameters: [{ type: 'document', document }] },
      body,
    ])
  })

  test('an image has no file name, not even that of its link', () => {
    const photo = record([{ type: 'HEADER', format: 'IMAGE' }])
    const link = 'https://x.example/a.jpg'
    expect(components(photo, { templateVariables: { header_link: link } })).toEqual([
      { type: 'header', parameters: [{ type: 'image', image: { link } }] },
    ])
    expect(issues(photo, { templateVariables: { header_link: link, header_filename: 'a.jpg' } })).toEqual([
      '/templateVariables/header_filename is not a variable of this template; it takes header_link, header',
    ])
  })

  const wrong: readonly [name: string, values: Record<string, string>, issue: string][] = [
    ['neither', {}, "/header_link is required: the template's header is a document (or give its media id as header)"],
    ['both', { header: '1', header_link: 'https://a.example' }, '/header must not be given together with header_link'],
    [
      'a handle',
      { header: '4::aW1' },
      '/header must be the id of a file here, media_…, or of an upload to the channel, digits only',
    ],
    [
      '65 digits',
      { header: '1'.repeat(65) },
      '/header must be the id of a file here, media_…, or of an upload to the channel, digits only',
    ],
    ['no scheme', { header_link: 'a.example/b.pdf' }, '/header_link must be a public http or https URL'],
    ['ftp', { header_link: 'ftp://a.example/b' }, '/header_link must be a public http or https URL'],
    ['an empty name', { header: '1', header_filename: ' ' }, '/header_filename must not be empty'],
    ['no address', { header_link: 'https://' }, '/header_link must be a public http or https URL'],
  ]
  test.each(wrong)('%s is refused', (_, values, issue) => {
    expect(issues(invoice, { templateVariables: { 1: 'A-1', ...values } })).toEqual([`/templateVariables${issue}`])
  })
})

describe('refusals name every problem at once, never a value', () => {
  test('missing and unknown keys', () => {
    expect(issues(couponReminder, { templateVariables: { 1: 'secret', foo: 'secret', 'a/b~c': 'secret' } })).toEqual([
      '/templateVariables/foo is not a variable of this template; it takes 1, 2',
      '/templateVariables/a~1b~0c is not a variable of this template; it takes 1, 2',
      "/templateVariables/2 is required: the template's body has {{2}}",
    ])
  })

  test('a missing shared key names all the places that need it', () => {
    expect(issues(couponReminder, {})).toEqual([
      "/templateVariables/1 is required: the template's header, body and URL button 0 have {{1}}",
      "/templateVariables/2 is required: the template's body has {{2}}",
    ])
    expect(issues(manyButtons, {})).toEqual([
      "/templateVariables/1 is required: the template's URL button 3 has {{1}}",
      '/templateVariables/copy_code is required: the template has a copy-code button',
    ])
  })

  const values: readonly [name: string, value: string, problem: string | undefined][] = [
    ['160 characters', 'x'.repeat(160), undefined],
    ['160 emoji', '😀'.repeat(160), undefined],
    ['4 spaces', 'a    b', undefined],
    ['161 characters', 'x'.repeat(161), 'must be at most 160 characters long'],
    ['161 emoji', '😀'.repeat(161), 'must be at most 160 characters long'],
    ['empty', '', 'must not be empty'],
    ['spaces alone', '   ', 'must not be empty'],
    ['a line break', 'a\nb', 'must not contain a line break, a tab or more than 4 spaces in a row'],
    ['a carriage return', 'a\rb', 'must not contain a line break, a tab or more than 4 spaces in a row'],
    ['a tab', 'a\tb', 'must not contain a line break, a tab or more than 4 spaces in a row'],
    ['5 spaces', 'a     b', 'must not contain a line break, a tab or more than 4 spaces in a row'],
  ]
  test.each(values)('a value of %s', (_, value, problem) => {
    const expected = (path: string) => (problem ? [`${path} ${problem}`] : [])
    expect(issues(couponReminder, { templateVariables: { 1: 'a', 2: value } })).toEqual(
      expected('/templateVariables/2'),
    )
    expect(issues(couponReminder, { templateVariables: { 1: 'a' }, bodyParameters: { 2: value } })).toEqual(
      expected('/bodyParameters/2'),
    )
  })

  test('a named value of 161 characters', () => {
    const values = { first_name: 'x'.repeat(161), day: 'Monday', 1: 'a' }
    expect(issues(named, { templateVariables: values })[0]).toBe(
      '/templateVariables/first_name must be at most 160 characters long',
    )
  })

  test('copy_code and one-time codes have at most 15 characters', () => {
    const coupon = (copy_code: string) => issues(manyButtons, { templateVariables: { 1: 'a', copy_code } })
    expect(coupon('x'.repeat(15))).toEqual([])
    expect(coupon('x'.repeat(16))).toEqual(['/templateVariables/copy_code must be at most 15 characters long'])
    expect(issues(authentication, { templateVariables: { 1: '1'.repeat(16) } })).toEqual([
      '/templateVariables/1 must be at most 15 characters long',
    ])
  })

  test('a carousel for a template without one', () => {
    expect(issues(catalog, { carousel: { cards: [] } })).toEqual([
      '/carousel is not allowed: the template has no carousel',
    ])
  })

  test('card keys for a template without a carousel', () => {
    expect(issues(catalog, { templateVariables: { c0_1: 'x' } })).toEqual([
      '/templateVariables/c0_1 is not a variable of this template; it takes catalog_product_retailer_id',
    ])
  })

  test('placeholders called like members of every object are ordinary names', () => {
    const template = record([{ type: 'BODY', text: '{{constructor}}' }], { parameter_format: 'NAMED' })
    expect(issues(template, { templateVariables: {} })).toEqual([
      "/templateVariables/constructor is required: the template's body has {{constructor}}",
    ])
  })

  const unsupported: readonly [name: string, template: TemplateRecord, why: string][] = [
    ['location header', record([{ type: 'HEADER', format: 'LOCATION' }]), 'its header is of the kind location'],
    ['product header', record([{ type: 'HEADER', format: 'PRODUCT' }]), 'its header is of the kind product'],
    [
      'expiring offer',
      record([{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon', has_expiration: true } }]),
      'its limited-time offer has an expiration time',
    ],
  ]
  test.each(unsupported)('%s: templateComponents is asked for', (_, template, why) => {
    expect(issues(template, { templateVariables: {} })).toEqual([
      `/templateComponents is required: ${why}, which no other field can fill`,
    ])
  })

  test('an offer that does not expire needs nothing', () => {
    const offer = record([{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { has_expiration: false } }])
    expect(components(offer, {})).toEqual([])
  })
})

describe('what becomes too long once it is filled', () => {
  const x = (count: number) => 'x'.repeat(count)
  const filled = (components: readonly TemplateComponent[], templateVariables: Record<string, string>) =>
    issues(record(components), { templateVariables })

  test('a header of more than 60 characters', () => {
    const header = [{ type: 'HEADER', format: 'TEXT', text: 'Act fast, {{1}}!' }]
    expect(filled(header, { 1: x(49) })).toEqual([])
    expect(filled(header, { 1: x(50) })).toEqual([
      '/templateVariables/1 makes the header 61 characters long; at most 60 are allowed',
    ])
  })

  test('a body of more than 1,024 characters, or of 600 with a limited-time offer', () => {
    const body = (fixed: number) => ({ type: 'BODY', text: `${x(fixed)}{{1}}{{2}}{{1}}` })
    const values = { 1: x(100), 2: '😀'.repeat(24) }
    expect(filled([body(800)], values)).toEqual([])
    expect(filled([body(801)], values)).toEqual([
      '/templateVariables makes the body 1025 characters long; at most 1024 are allowed',
    ])
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Now' } }
    expect(filled([offer, body(376)], values)).toEqual([])
    expect(filled([offer, body(377)], values)).toEqual([
      '/templateVariables makes the body 601 characters long; at most 600 are allowed',
    ])
  })

  test('an address of more than 2,000 characters', () => {
    const buttons = (fixed: number) => [{ type: 'BUTTONS', buttons: [{ type: 'URL', url: `${x(fixed)}{{1}}` }] }]
    expect(filled(buttons(1_900), { 1: x(100) })).toEqual([])
    expect(filled(buttons(1_900), { 1: x(101) })).toEqual([
      '/templateVariables/1 makes the address of button 0 2001 characters long; at most 2000 are allowed',
    ])
  })

  test('the value that is at fault is named where it was given', () => {
    const body = record([{ type: 'BODY', text: `${x(1_000)}{{1}}` }])
    expect(issues(body, { bodyParameters: { 1: x(25) } })).toEqual([
      '/bodyParameters makes the body 1025 characters long; at most 1024 are allowed',
    ])
  })
})
