import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'

// Not by a static import: browser code is type-checked by itself.
const folder = resolve(import.meta.dir, '../../src/console/web/pages/conversations/composer')
const { asKept, compositionIn, noDraft, onLine, written } = await import(`${folder}/composition.ts`)
const { filledFrom } = await import(`${folder}/prefill.ts`)

const quote = { channelMessageId: 'wamid.1', isOurs: false, words: 'Hello?' }
const file = (type: string, more: object = {}) => ({ id: 'media_1', type, name: 'a.bin', isVoice: false, ...more })

describe('what a draft is sent as', () => {
  test.each<[what: string, draft: object, messages: object[], rest: string]>([
    ['a reply', { text: 'Yes', quote }, [{ type: 'text', content: 'Yes', replyTo: 'wamid.1' }], ''],
    ['a picture', { text: 'It', files: [file('image')] }, [{ type: 'image', mediaId: 'media_1', caption: 'It' }], ''],
    ['a document', { files: [file('document')] }, [{ type: 'document', mediaId: 'media_1', fileName: 'a.bin' }], ''],
    [
      'a sound, whose text stays',
      { text: 'Next', files: [file('audio')] },
      [{ type: 'audio', mediaId: 'media_1' }],
      'Next',
    ],
    [
      'a voice',
      { files: [file('audio', { isVoice: true })] },
      [{ type: 'audio', mediaId: 'media_1', voice: true }],
      '',
    ],
    ['a sticker', { text: 'Next', files: [file('sticker')] }, [{ type: 'sticker', mediaId: 'media_1' }], 'Next'],
    [
      'several files: the first answers, the last that may has the words',
      {
        text: 'All',
        quote,
        files: [file('image'), file('video', { id: 'media_2' }), file('audio', { id: 'media_3' })],
      },
      [
        { type: 'image', mediaId: 'media_1', replyTo: 'wamid.1' },
        { type: 'video', mediaId: 'media_2', caption: 'All' },
        { type: 'audio', mediaId: 'media_3' },
      ],
      '',
    ],
    ['nothing, while there is only white space', { text: ' \n', quote }, [], ''],
  ])('%s', (_, draft, messages, text) => {
    const sent = written({ ...noDraft, ...draft })
    expect(sent.messages.map(({ message }: { message: object }) => message)).toEqual(messages)
    expect(sent.rest).toEqual({ ...noDraft, text })
  })

  test('each with what it was written as, to write on when it is refused', () => {
    const files = [file('image'), file('video', { id: 'media_2' })]
    const drafts = written({ ...noDraft, text: 'All', quote, files }).messages.map(
      ({ draft }: { draft: object }) => draft,
    )
    expect(drafts).toEqual([
      { ...noDraft, files: [files[0]], quote },
      { ...noDraft, files: [files[1]], text: 'All' },
    ])
  })
})

describe('the line of a draft', () => {
  const template = { id: 'tpl_1', values: { variables: {}, body: {}, addresses: {} } }
  const draft = { ...noDraft, text: 'On its way', quote, files: [file('audio')], template }
  const begun = onLine(draft, 'line_1')

  test('is that on which it was begun, with what only that line has', () => {
    expect(begun).toEqual({ ...draft, lineId: 'line_1' })
    expect(onLine(begun, 'line_1')).toEqual(begun)
  })

  test('takes neither its template nor what it answers to another one', () => {
    expect(onLine(begun, 'line_2')).toEqual({ ...draft, lineId: 'line_2', quote: null, template: null })
  })

  test('stays that of what is not sent yet, and is none when nothing is left', () => {
    expect(written(begun).rest).toEqual({ ...noDraft, lineId: 'line_1', text: 'On its way' })
    expect(written({ ...begun, text: '' }).rest).toEqual(noDraft)
    expect(asKept(onLine(noDraft, 'line_1'))).toEqual(noDraft)
  })

  test('is kept with it', () => {
    expect(compositionIn({ draft: begun })).toEqual({ draft: begun, outgoing: [] })
  })
})

test('what another version of the page has kept harms nobody', () => {
  for (const kept of [null, 7, 'text', [], { draft: null, outgoing: {} }, { draft: { text: 1 }, outgoing: [null, {}] }])
    expect([kept, compositionIn(kept)]).toEqual([kept, { draft: noDraft, outgoing: [] }])
})

test.each<[text: string, keys: string[], values: object]>([
  ['Hi {{1}}, order {{2}}', ['1', '2'], { 1: 'Ada Lovelace' }],
  ['Your code is {{1}}', ['1'], {}],
  ['Hola *{{1}}*', ['1'], { 1: 'Ada Lovelace' }],
  ['Order {{order}} of {{customer_name}}', ['order', 'customer_name'], { customer_name: 'Ada Lovelace' }],
  ['{{first_name}}: {{phone}}', ['first_name', 'phone'], { first_name: 'Ada', phone: '+4915112345678' }],
])('a template is filled with what fits of its person: %s', (text, keys, values) => {
  const person = { name: 'Ada Lovelace', phone: '+4915112345678' }
  const detail = (...places: string[]) => ({
    template: { draft: { body: { text } } },
    variables: keys.map(key => ({ key, card: null, places })),
  })
  expect(filledFrom(person, detail('body'))).toEqual({ variables: values, body: {} })
  expect(filledFrom({ name: null, phone: null }, detail('body'))).toEqual({ variables: {}, body: {} })
  // A header that has the same key does not greet.
  expect(filledFrom(person, detail('header', 'body'))).toEqual({ variables: {}, body: values })
})
