import { fileElsewhere } from './requests.ts'
import { person } from './tenants.ts'

/** What a client writes about: the name of its send, and a message of a user. */
interface About {
  readonly body: string
  readonly read: string
}

interface Form {
  readonly body: (about: About) => object
  /** The platform does not take it: nor does the gateway. */
  readonly isRefused?: true
  /** It marks a message of a user as read: it is no send. */
  readonly isMark?: true
}

const frame = (type: string, content: object, more: object = {}) => ({
  ...{ messaging_product: 'whatsapp', to: person, type, [type]: content, ...more },
})
const template = (name: string, code: string, components: readonly object[]) =>
  frame('template', { name, language: { code }, components })
const parameters = (...texts: readonly object[]) => ({ parameters: texts })
const parameter = (text: string, more: object = {}) => ({ type: 'text', text, ...more })
const long = (body: string, count: number) => `${body} ${'x'.repeat(count - body.length - 1)}`
const marked = ({ read }: About) => ({ messaging_product: 'whatsapp', status: 'read', message_id: read })
const list = ({ body }: About, rowsMax: number) =>
  frame('interactive', {
    ...{ type: 'list', body: { text: body } },
    action: {
      button: 'Choose',
      sections: [
        { title: 'All', rows: Array.from({ length: rowsMax }, (_, at) => ({ id: `${at}`, title: `Row ${at}` })) },
      ],
    },
  })

/*
 * Calls as clients of the platform were seen to write them, with values of our own: ways to say the same, and what the
 * platform takes or refuses of each type.
 */
export const graphForms = {
  withAll: {
    body: ({ body }) => ({ recipient_type: 'individual', ...frame('text', { body, preview_url: false }) }),
  },
  withoutType: { body: ({ body }) => ({ messaging_product: 'whatsapp', to: `+${person}`, text: { body } }) },
  withNulls: { body: ({ body }) => frame('text', { body }, { context: null }) },
  withWordsOfItsOwn: {
    body: ({ body }) => ({
      ...{ type: 'text', to: person, text: { body }, messaging_product: 'whatsapp' },
      biz_opaque_callback_data: 'order 7',
    }),
  },
  withAnAnswer: { body: ({ body, read }) => frame('text', { body }, { context: { message_id: read } }) },
  mark: { body: marked, isMark: true },
  markOfWriting: { body: about => ({ ...marked(about), typing_indicator: { type: 'text' } }), isMark: true },

  textOfAllLetters: { body: ({ body }) => frame('text', { body: long(body, 4_096) }) },
  textTooLong: { body: ({ body }) => frame('text', { body: long(body, 4_097) }), isRefused: true },
  fileById: { body: ({ body }) => frame('document', { id: fileElsewhere, caption: body, filename: 'a.pdf' }) },
  captionTooLong: {
    body: ({ body }) => frame('image', { id: fileElsewhere, caption: long(body, 1_025) }),
    isRefused: true,
  },
  place: {
    body: ({ body }) => frame('location', { latitude: '52.5163', longitude: 13.3777, name: body, address: '' }),
  },
  card: {
    body: ({ body }) =>
      frame('contacts', [{ name: { formatted_name: body, first_name: 'Ada' }, phones: [{ phone: '+49 30 1234' }] }]),
  },
  rows: { body: about => list(about, 10) },
  rowsTooMany: { body: about => list(about, 11), isRefused: true },
  templateByNames: {
    body: ({ body }) =>
      template('resume', 'pt_BR', [
        { type: 'header', ...parameters(parameter(body, { parameter_name: 'agente' })) },
        { type: 'body', ...parameters(parameter('Bo', { parameter_name: 'cliente' })) },
      ]),
  },
  templateInUpperCase: {
    body: ({ body }) => template('welcome', 'es_ES', [{ type: 'BODY', ...parameters(parameter(body)) }]),
  },
  codeWithItsButton: {
    body: ({ body }) =>
      template('login', 'en_US', [
        { type: 'body', ...parameters(parameter(body)) },
        { type: 'button', sub_type: 'url', index: 0, ...parameters(parameter(body)) },
      ]),
  },
} as const satisfies Readonly<Record<string, Form>>

export type GraphForm = keyof typeof graphForms
// The keys of a literal.
export const graphFormNames = Object.keys(graphForms) as GraphForm[]
/** @returns whether the platform, and so the gateway, does not take it */
export const isRefused = (form: GraphForm): boolean => 'isRefused' in graphForms[form]
