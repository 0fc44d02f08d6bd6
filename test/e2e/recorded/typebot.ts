import { files } from '../../media/outgoing/files.ts'
import { fileCall, type Read, type RecordedCall } from './clients.ts'

/* What Typebot asks of the platform, with `WHATSAPP_CLOUD_API_URL` (docs/drop-in.md). */

const messages = 'v21.0/{line}/messages'
const debug = 'v17.0/debug_token?input_token={token}'
const proof = 'appsecret_proof=3f5b0c0f4f8d1f6f8d0f8f5b0c0f4f8d1f6f8d0f8f5b0c0f4f8d1f6f8d0f8f00'

/** It looks whether there is an error, and at nothing else. */
const isTaken = ({ status }: Read) => status < 300

const message = (title: string, json: object): RecordedCall => ({
  ...{ title, method: 'POST', path: messages, reads: isTaken },
  json: { messaging_product: 'whatsapp', to: '16505551234', ...json },
})

const buttons = (header?: object, body?: object) => ({
  type: 'interactive',
  interactive: {
    ...{ type: 'button', header, body },
    action: { buttons: ['Yes', 'No'].map((title, at) => ({ type: 'reply', reply: { id: `b${at}`, title } })) },
  },
})

/** `expires_at` must be 0 and both scopes there, else the token is not taken. */
const token = ({ json: { data } }: Read) => [typeof data.app_id, data.expires_at, [...data.scopes].sort()]
const goodToken = ['string', 0, ['whatsapp_business_management', 'whatsapp_business_messaging']]

/** Its ids are compared with that of the line which it is set to. */
const numbers = (...reads: readonly Read[]) =>
  reads.flatMap(({ json }) =>
    json.data
      .filter(({ id }: { id: string }) => id === '106540352242921')
      .map((each: { display_phone_number: string }) => each.display_phone_number),
  )

const upload = (): FormData => {
  const form = new FormData()
  form.append('file', new Blob([files.png], { type: 'image/png' }))
  form.append('type', 'image/png')
  form.append('messaging_product', 'whatsapp')
  return form
}

export const typebot: readonly RecordedCall[] = [
  { title: 'looks at its token', path: debug, reads: token, needs: goodToken },
  { title: 'looks at it with the proof of an app secret', path: `${debug}&${proof}`, reads: token, needs: goodToken },
  {
    ...{ title: 'looks whether its app is subscribed', path: debug, needs: true },
    next: ({ json }) => (json.data.app_id ? { path: `v17.0/{account}/subscribed_apps?${proof}` } : null),
    reads: (of, subscribed) =>
      subscribed?.json.data.some(
        (app: { id?: string; whatsapp_business_api_data?: { id: string } }) =>
          (app.whatsapp_business_api_data?.id ?? app.id) === of.json.data.app_id,
      ),
  },
  {
    ...{ title: 'finds its line', path: `v17.0/{account}/phone_numbers?fields=id%2Cdisplay_phone_number&limit=100` },
    next: ({ json }) => (json.paging?.next ? { path: json.paging.next } : null),
    reads: numbers,
  },
  {
    ...{
      title: 'with a proof',
      path: `v17.0/{account}/phone_numbers?fields=id%2Cdisplay_phone_number&limit=100&${proof}`,
    },
    reads: numbers,
  },
  { title: 'names its line', path: 'v17.0/{line}', reads: ({ json }) => json.display_phone_number },
  {
    ...{ title: 'subscribes its app', method: 'POST', path: `v17.0/{account}/subscribed_apps?${proof}` },
    ...{ headers: { authorization: 'Bearer {token}' }, reads: isTaken },
  },
  message('a text', { type: 'text', text: { body: 'Hello', preview_url: true } }),
  message('a text to a user id', {
    ...{ to: undefined, recipient: 'US.13491208655302741918' },
    ...{ type: 'text', text: { body: 'Hello' } },
  }),
  message('a picture by a link', { type: 'image', image: { link: '{files}/photo.png' } }),
  message('a picture by its id', { type: 'image', image: { id: '{media}' } }),
  message('a film', { type: 'video', video: { link: '{files}/guide.mp4' } }),
  message('a sound', { type: 'audio', audio: { link: '{files}/voice.ogg' } }),
  message('a document', { type: 'document', document: { link: '{files}/invoice.pdf', filename: 'invoice.pdf' } }),
  message('buttons', buttons(undefined, { text: '―' })),
  message(
    'buttons below a picture by its id',
    buttons({ type: 'image', image: { id: '{media}' } }, { text: 'Today?' }),
  ),
  message('a template', { type: 'template', template: { language: { code: 'en_US' }, name: 'hello_world' } }),
  {
    ...{ title: 'marks as read and types', method: 'POST', path: messages, reads: isTaken },
    json: {
      ...{ messaging_product: 'whatsapp', status: 'read', message_id: '{inbound}' },
      typing_indicator: { type: 'text' },
    },
  },
  {
    ...{ title: 'uploads a file without a name', method: 'POST', path: 'v21.0/{line}/media', form: upload },
    reads: ({ json }) => json.id,
  },
]

export const typebotFile = fileCall('v17.0/{file}', {
  authorization: 'Bearer {token}',
  'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
})
