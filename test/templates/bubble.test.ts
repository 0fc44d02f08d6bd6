import { describe, expect, test } from 'bun:test'
import type { Template } from '../../db/contract/records.ts'
import { SAMPLES } from '../../src/sandbox/state/samples.ts'
import { bubbleOf } from '../../src/templates/bubble.ts'
import { exampleValues } from '../../src/templates/exampleSend.ts'
import { templateRecord } from '../../src/templates/record.ts'
import { renderTemplate } from '../../src/templates/renderComponents.ts'
import { parseTemplate } from '../../src/templates/shape.ts'

const stored = (sample: (typeof SAMPLES)[number]): Template => ({
  id: 'tpl_1',
  channelId: 'chan_1',
  upstreamId: '1',
  name: sample.name,
  language: sample.language,
  category: sample.category ?? 'UTILITY',
  status: 'APPROVED',
  parameterFormat: sample.parameter_format ?? 'POSITIONAL',
  components: JSON.stringify(sample.components),
  rejectedReason: null,
  updatedAt: 0,
  lastUpdateAt: null,
})

/** A send with the template's own examples. */
function sentWithExamples(template: Template): string {
  const record = templateRecord(template)
  const values = exampleValues(record)
  if (values === null) throw new Error('it has no examples')
  const rendered =
    'templateComponents' in values
      ? { ok: true as const, components: values.templateComponents }
      : renderTemplate(parseTemplate(record), values)
  if (!rendered.ok) throw new Error(JSON.stringify(rendered.issues))
  const { name, language } = template
  return JSON.stringify({
    type: 'template',
    template: { name, language: { code: language }, components: rendered.components },
  })
}

describe('a template', () => {
  test.each(SAMPLES.map(sample => [`${sample.name} ${sample.language}`, sample] as const))(
    '%s: every variable has the value that was sent',
    (_, sample) => {
      const template = stored(sample)
      const bubble = bubbleOf(sentWithExamples(template), template)
      expect(bubble?.draft.name).toBe(sample.name)
      expect(JSON.stringify(bubble)).not.toContain('{{')
    },
  )

  const named = (name: string, language = 'en_US') => {
    const sample = SAMPLES.find(one => one.name === name && one.language === language)
    if (!sample) throw new Error(`there is no sample ${name}`)
    return stored(sample)
  }
  const send = (name: string, language: string, ...components: object[]) =>
    JSON.stringify({ type: 'template', template: { name, language: { code: language }, components } })
  const texts = (...values: string[]) => values.map(text => ({ type: 'text', text }))

  test('has its values in header, body and the addresses of its buttons, each from its own place', () => {
    const sent = send(
      'coupon_reminder',
      'en_US',
      { type: 'header', parameters: texts('A1') },
      { type: 'body', parameters: texts('B1', 'B2 {{1}}') },
      { type: 'button', sub_type: 'url', index: '0', parameters: texts('C1') },
      { type: 'button', sub_type: 'copy_code', index: 1, parameters: [{ type: 'coupon_code', coupon_code: 'D1' }] },
    )
    const { draft } = bubbleOf(sent, named('coupon_reminder')) ?? {}
    expect(draft).toMatchObject({
      header: { text: 'Act fast: A1' },
      body: { text: 'Your code B1 expires in B2 {{1}} days.' },
      footer: 'Reply STOP to stop',
      buttons: [{ url: 'https://shop.example/deals?p=C1' }, { example: 'D1' }, { text: 'Stop' }],
    })
  })

  test('has named values by their names', () => {
    const parameters = [
      { type: 'text', parameter_name: 'day', text: 'Monday' },
      { type: 'text', parameter_name: 'parcel', text: 'P-1' },
    ]
    const bubble = bubbleOf(send('delivery_update', 'en', { type: 'body', parameters }), named('delivery_update', 'en'))
    expect(bubble?.draft.body.text).toBe('Your parcel P-1 arrives here on Monday.')
    // What was not sent stays as it is written.
    expect(bubble?.draft.header).toMatchObject({ text: 'News for {{first_name}}' })
  })

  test('that authenticates has its code', () => {
    const sent = send('login_code', 'en_US', { type: 'body', parameters: texts('4711') })
    expect(bubbleOf(sent, named('login_code'))?.code).toBe('4711')
  })

  test('that is not known any more has no bubble', () => {
    expect(bubbleOf(send('gone', 'en_US'), null)).toBeNull()
  })
})

describe('an interactive message', () => {
  const bubble = (interactive: object) => bubbleOf(JSON.stringify({ type: 'interactive', interactive }), null)

  test('has its header, text, footer and buttons', () => {
    const { draft, files } =
      bubble({
        type: 'button',
        header: { type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } },
        body: { text: 'Well?' },
        footer: { text: 'Until six' },
        action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
      }) ?? {}
    expect(draft).toMatchObject({
      header: { kind: 'document', fileName: 'a.pdf' },
      body: { text: 'Well?' },
      footer: 'Until six',
      buttons: [{ kind: 'quickReply', text: 'Yes' }],
    })
    expect(files).toEqual({ header: { link: 'https://example.com/a.pdf', id: null }, cards: [] })
  })

  test('has no link that is not one of the web', () => {
    const header = { type: 'image', image: { link: 'javascript:alert(1)' } }
    expect(bubble({ type: 'button', header, body: { text: 'Well?' } })?.files.header.link).toBeNull()
  })

  test('that is a list has its rows', () => {
    const rows = [
      { id: '1', title: 'Friday', description: '9 to 12' },
      { id: '2', title: 'Saturday' },
    ]
    const found = bubble({ type: 'list', body: { text: 'When?' }, action: { button: 'Choose', sections: [{ rows }] } })
    expect(found?.draft.buttons).toMatchObject([{ text: 'Choose' }])
    expect(found?.choices).toEqual([
      { title: 'Friday', description: '9 to 12' },
      { title: 'Saturday', description: null },
    ])
  })

  test.each([
    [
      'cta_url',
      { parameters: { display_text: 'Open', url: 'https://example.com' } },
      { text: 'Open', url: 'https://example.com' },
    ],
    ['flow', { parameters: { flow_cta: 'Book' } }, { kind: 'flow', text: 'Book' }],
  ])('of type %s has its button', (type, action, button) => {
    expect(bubble({ type, body: { text: 'Look' }, action })?.draft.buttons).toMatchObject([button])
  })
})

test('a text is what it says, and what cannot be read has no bubble', () => {
  expect(bubbleOf(JSON.stringify({ type: 'text', text: { body: '*Hi* {{1}}' } }), null)?.draft.body.text).toBe(
    '*Hi* {{1}}',
  )
  expect(bubbleOf('no JSON', null)).toBeNull()
  expect(bubbleOf('{"type":"other"}', null)).toBeNull()
})
