import type { Tenant } from '../history.ts'
import { from, type Letters, messages, profile, written } from './change.ts'

const unsupported = {
  ...{ type: 'unsupported', unsupported: { type: 'poll' } },
  errors: [{ code: 131051, title: 'Message type unknown', message: 'Message type unknown' }],
}
const said = (body: string) => ({ type: 'text', text: { body } })
const edit = (original: string, body: string) => ({
  ...{ type: 'edit', edit: { original_message_id: original, message: said(body) } },
})
const revoke = (original: string) => ({ type: 'revoke', revoke: { original_message_id: original } })
const flow = (answers: string) => ({
  type: 'interactive',
  interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: answers } },
})
/** A file that is not to be fetched: it has no id. */
const file = (type: string, more: object) => ({ type, [type]: { mime_type: 'audio/ogg; codecs=opus', ...more } })
const business = '15550783880'

/** A user of a number that is spelt in two ways. */
const fromElsewhere =
  (number: string): Letters[string] =>
  about => [
    messages(about, {
      contacts: profile('Carla', number),
      messages: [
        {
          ...{ from: number, id: `wamid.spelt.${about.tenant}.${about.nth}`, timestamp: String(about.timestamp) },
          ...said('hola'),
        },
      ],
    }),
  ]

/** What users write, of each type, and what they do with it afterwards. */
export const userLetters: Letters = {
  order: about => [
    written(about, {
      type: 'order',
      order: {
        ...{ catalog_id: '800000000000001', text: 'ring twice' },
        product_items: [
          { product_retailer_id: 'SKU-1', quantity: 2, item_price: 12.5, currency: 'BRL' },
          { product_retailer_id: 'SKU-2', quantity: '1', item_price: '3', currency: 'BRL' },
        ],
      },
    }),
  ],
  cards: about => [
    written(about, {
      type: 'contacts',
      contacts: [
        { name: { formatted_name: 'Dee Test' }, phones: [{ phone: '+49 30 1234', wa_id: '49301234' }] },
        { name: { first_name: 'Eve' }, phones: [{}] },
        { name: { first_name: 'Fay' }, phones: [] },
      ],
    }),
  ],
  floodOfPolls: about => [written(about, ...Array.from({ length: 7 }, () => unsupported))],
  editedAndRevoked(about) {
    const original = `wamid.recorded.${about.tenant}.${about.nth}.0`
    return [written(about, said('at 5'), edit(original, 'at 6'), revoke(original), revoke('wamid.of.nobody'))]
  },
  /** What changes it comes before it, and is changed once more. */
  editThatOvertakes(about) {
    const original = `wamid.recorded.${about.tenant}.${about.nth}.3`
    return [written(about, revoke(original), edit(original, 'at 6'), edit(original, 'at 7'), said('at 5'))]
  },
  editOfNobody: about => [written(about, edit('wamid.of.nobody', 'at 6'))],
  flowAnswer: about => [
    written(about, {
      ...flow('{"screen_0_Stars_0":"0_Five","screen_0_Note_1":"Très bien ✨"}'),
      context: { from: business, id: about.own?.wamid ?? 'wamid.of.nobody' },
    }),
  ],
  flowAnswersThatAreOdd: about => [
    written(about, ...['{"flow_token":"unused"}', '"text"', '[1]', '{broken', ''].map(flow)),
  ],
  reaction: about => [
    written(about, { type: 'reaction', reaction: { message_id: about.own?.wamid ?? 'wamid.x', emoji: '👍' } }),
  ],
  buttonAndRow: about => [
    written(
      about,
      { type: 'button', button: { text: 'Yes', payload: 'yes' }, context: { id: about.own?.wamid ?? 'wamid.x' } },
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Row 1', description: 'x'.repeat(72) } },
      },
    ),
  ],
  filesWithoutIds: about => [
    written(
      about,
      file('audio', { voice: true }),
      file('document', { filename: '../../Invoice No 17\u202e.pdf' }),
      file('image', { caption: 'x'.repeat(1_024) }),
    ),
  ],
  /** It names a message of another workspace: nothing of that is to be shown. */
  quoteOfTheOther: about => [
    written(about, {
      ...said('this one?'),
      context: { from: business, id: about.other?.wamid ?? 'wamid.of.the.other' },
    }),
  ],
  changedNumber: about => [
    written(about, {
      ...{ type: 'system', from: '493012341' },
      system: { type: 'user_changed_number', body: 'User A changed to 493012342', wa_id: '493012342' },
    }),
  ],
  numberOfArgentina: fromElsewhere('5491155550001'),
  numberOfMexico: fromElsewhere('5215555550001'),
  stopWord: about => [written(about, said('STOP'))],
  stopWordsInOtherLetters: about => [written(about, ...[' stop ', 'Stop.', 'PARAR', 'sair', 'Abmelden!'].map(said))],
  noStopWords: about => [written(about, ...['Stop by at 5?', 'stopp', 'do not stop', ''].map(said))],
  startWord: about => [written(about, said('START'))],
  helloAtTheWindow: about => [written(about, said('hello?'))],
  /** On a line that another workspace has: what comes for it is that one's, and nothing of it is told here. */
  elsewhere({ tenant, nth, timestamp }) {
    const other = { tenant: (1 - tenant) as Tenant }
    const message = { from, id: `wamid.elsewhere.${tenant}.${nth}`, timestamp: String(timestamp), ...said('whose?') }
    return [messages(other, { contacts: profile('Bob'), messages: [message] })]
  },
}
