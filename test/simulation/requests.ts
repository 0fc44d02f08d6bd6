import { pausable } from './templates.ts'

/*
 * Bodies of sends, as callers write them: those that a history is about, and those that were seen to go wrong with
 * other programs, written anew with values of our own. Each says its name, by which it is found again at the platform.
 */

/** What a body is made of. */
interface About {
  /** Its first word. */
  readonly name: string
  /** Our id of a file that is kept; null: it shows none. */
  readonly mediaId: string | null
}

interface Form {
  readonly body: (about: About) => object
  /**
   * What its caller is told when nothing else stands in the way: that there is a message, or that status. Null: that
   * depends on what happens beside it.
   */
  readonly answer: 'message' | 400 | 404 | null
}

/** The platform's id of a file that some other program has uploaded. */
export const fileElsewhere = '900000000000018'

const template = (name: string, language: string | undefined, rest: object) => ({
  ...{ type: 'template', templateName: name, ...(language !== undefined && { templateLanguage: language }), ...rest },
})
const welcome = (language: string, answer: Form['answer']): Form => ({
  body: ({ name }) => template('welcome', language, { templateVariables: { 1: name } }),
  answer,
})
const long = (name: string, letter: string, count: number) => `${name} ${letter.repeat(count - [...name].length - 1)}`
const text = (content: (name: string) => string, answer: Form['answer'], more: object = {}): Form => ({
  body: ({ name }) => ({ type: 'text', content: content(name), ...more }),
  answer,
})
const interactive = (payload: (name: string) => object, answer: Form['answer']): Form => ({
  body: ({ name }) => ({ type: 'interactive', content: JSON.stringify(payload(name)) }),
  answer,
})
const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
const rows = (count: number, description: string) =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: `Row ${at}`, description }))
const family = '👩‍👩‍👧‍👦'
const parameter = (text: string) => ({ type: 'text', text })

export const forms = {
  text: text(name => name, 'message'),
  template: {
    body: ({ name }) => template(pausable.name, pausable.language, { templateVariables: { 1: name } }),
    answer: null,
  },
  file: { body: ({ name, mediaId }) => ({ type: 'document', mediaId, caption: name }), answer: null },

  fileOfThePlatform: {
    body: ({ name }) => ({ type: 'document', mediaId: fileElsewhere, caption: name }),
    answer: 'message',
  },
  linkIntoThisMachine: {
    body: ({ name }) => ({ type: 'image', link: 'http://127.0.0.1/cover.png', caption: name }),
    answer: 400,
  },
  captionTooLong: {
    body: ({ name }) => ({ type: 'document', mediaId: fileElsewhere, caption: long(name, 'x', 1_025) }),
    answer: 400,
  },
  textOfAllLetters: text(name => long(name, 'x', 4_096), 'message'),
  textOfEmoji: text(name => long(name, '😀', 4_096), 'message'),
  textTooLong: text(name => long(name, 'x', 4_097), 400),
  timeWithoutOffset: text(name => name, 400, { sendAt: '2026-03-28T01:30:00' }),
  timeOfAZone: text(name => name, 400, { sendAt: '2026-10-25T01:30:00 Europe/Lisbon' }),
  timeLongAgo: text(name => name, 400, { sendAt: '2020-01-01T00:00:00Z' }),
  timeTooFar: text(name => name, 400, { sendAt: '2029-12-31T00:00:00Z' }),
  windowWanted: text(name => name, null, { requireOpenWindow: true }),

  labels: interactive(
    name => ({
      type: 'button',
      body: { text: name },
      action: { buttons: [reply('a', 'Deluxe room, sea'), reply('b', 'No')] },
    }),
    'message',
  ),
  labelsTooLong: interactive(
    name => ({
      ...{ type: 'button', body: { text: name } },
      action: { buttons: [reply('a', 'Deluxe room, sea view'), reply('b', family.repeat(3))] },
    }),
    400,
  ),
  rows: interactive(
    name => ({ type: 'list', body: { text: name }, action: { button: 'Choose', sections: [{ rows: rows(10, 'x') }] } }),
    'message',
  ),
  rowsTooMany: interactive(
    name => ({
      ...{ type: 'list', body: { text: name } },
      action: { button: 'Choose', sections: [{ rows: rows(11, 'x'.repeat(73)) }] },
    }),
    400,
  ),

  languageRejected: welcome('pt_PT', 400),
  languageOfOneCountry: welcome('pt-br', 'message'),
  languageAlone: welcome('es', 'message'),
  languageThatIsNot: welcome('en', 404),
  namesOfAll: {
    body: ({ name }) => template('resume', 'pt_BR', { templateVariables: { agente: name, cliente: 'Bo' } }),
    answer: 'message',
  },
  namesMissing: { body: () => template('resume', 'pt_BR', { templateVariables: {} }), answer: 400 },
  numbersForNames: {
    body: ({ name }) => template('resume', 'pt_BR', { templateVariables: { 1: name, 2: 'Bo' } }),
    answer: 400,
  },
  componentsWithoutNames: {
    body: ({ name }) =>
      template('resume', 'pt_BR', {
        templateComponents: [
          { type: 'header', parameters: [parameter(name)] },
          { type: 'body', parameters: [parameter('Bo')] },
        ],
      }),
    answer: 'message',
  },
  code: {
    body: ({ name }) => template('login', 'en_US', { templateVariables: { 1: name } }),
    answer: 'message',
  },
  codeTooLong: {
    body: ({ name }) => template('login', 'en_US', { templateVariables: { 1: `${name}${'0'.repeat(16)}` } }),
    answer: 400,
  },
  codeInTheBodyAlone: {
    body: ({ name }) =>
      template('login', 'en_US', { templateComponents: [{ type: 'body', parameters: [parameter(name)] }] }),
    answer: 'message',
  },
  staticButton: {
    body: ({ name }) =>
      template('shop', 'en', {
        templateComponents: [
          { type: 'body', parameters: [parameter(name)] },
          { type: 'button', sub_type: 'phone_number', index: '0', parameters: [parameter('+15550150000')] },
          { type: 'button', sub_type: 'url', index: '1', parameters: [parameter('https://shop.example/about')] },
        ],
      }),
    answer: 'message',
  },
} as const satisfies Readonly<Record<string, Form>>

export type FormName = keyof typeof forms
/** Those of which a history is not made anyway. */
export const seenForms = (Object.keys(forms) as FormName[]).filter(name => !['text', 'template', 'file'].includes(name))

/** Those that send the template which the platform pauses. */
export const isPausable = (form: FormName): boolean => form === 'template'

/** @returns the fields of a send that are of its own form */
export const bodyOf = (form: FormName, about: About): object => forms[form].body(about)
export const answerTo = (form: FormName): Form['answer'] => forms[form].answer
