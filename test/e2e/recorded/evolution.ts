import { files } from '../../media/outgoing/files.ts'
import { fileCall, type Read, type RecordedCall } from './clients.ts'

/* What Evolution API asks of the platform, with `WA_BUSINESS_URL` (docs/drop-in.md). */

const version = 'v20.0'

/** It keeps the id for its statuses. Of a refusal it gives `error` to its caller, and knows it by two of its fields. */
const sent = ({ json: { error, messages } }: Read) =>
  error ? { code: error.code, isKnown: Boolean(error.error_data || error.message) } : { id: messages[0].id }

const message = (title: string, json: object): RecordedCall => ({
  ...{ title, method: 'POST', path: `${version}/{line}/messages`, reads: sent },
  json: { messaging_product: 'whatsapp', recipient_type: 'individual', to: '16505551234', ...json },
})

const upload = (): FormData => {
  const form = new FormData()
  form.append('file', new Blob([files.png], { type: 'image/png' }), 'image.png')
  form.append('typeFile', 'image/png')
  form.append('messaging_product', 'whatsapp')
  return form
}

const body = (text: string) => [{ type: 'BODY', text }]

export const evolution: readonly RecordedCall[] = [
  message('a text', { type: 'text', text: { body: 'Hello', preview_url: false } }),
  message('an answer', {
    ...{ type: 'text', text: { body: 'Hello', preview_url: false } },
    context: { message_id: '{inbound}' },
  }),
  message('a reaction', { type: 'reaction', reaction: { message_id: '{inbound}', emoji: '👍' } }),
  message('a place', {
    ...{ type: 'location' },
    location: { longitude: 13.4, latitude: 52.5, name: 'Shop', address: 'Street 1' },
  }),
  message('a card', {
    ...{ type: 'contacts' },
    contacts: [
      {
        name: { formatted_name: 'Ada', first_name: 'Ada' },
        ...{ phones: [{ phone: '+15550100' }], urls: [{}], emails: [{}], org: {} },
      },
    ],
  }),
  message('a picture by its id', { type: 'image', image: { id: '{media}', caption: 'Look' } }),
  message('a picture by a link', { type: 'image', image: { link: '{files}/photo.png' } }),
  message('a document by a link', {
    ...{ type: 'document' },
    document: { link: '{files}/invoice.pdf', filename: 'invoice.pdf', caption: 'Yours' },
  }),
  message('a sound', { type: 'audio', audio: { link: '{files}/voice.ogg' } }),
  {
    ...message('a film', {
      type: 'video',
      video: { link: '{files}/guide.mp4', filename: 'guide.mp4', caption: 'How' },
    }),
    isRefused: true,
  },
  message('buttons', {
    type: 'interactive',
    interactive: {
      ...{ type: 'button', body: { text: 'Select' } },
      action: { buttons: [{ type: 'reply', reply: { title: 'Yes', id: 'yes' } }] },
    },
  }),
  message('a list', {
    type: 'interactive',
    interactive: {
      ...{ type: 'list', header: { type: 'text', text: 'Food' }, body: { text: 'Which?' }, footer: { text: 'Today' } },
      action: {
        button: 'Choose',
        sections: [{ title: 'Warm', rows: [{ title: 'Pasta', description: 'With basil', id: 'pasta' }] }],
      },
    },
  }),
  message('a template', { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }),
  {
    ...message('a template that does not exist', {
      ...{ type: 'template', template: { name: 'none', language: { code: 'en_US' } } },
    }),
    isRefused: true,
  },
  {
    ...{ title: 'changes its profile', method: 'POST', path: `${version}/{line}/whatsapp_business_profile` },
    json: {
      ...{ messaging_product: 'whatsapp', about: 'Open from nine', address: 'Street 1', description: 'A shop' },
      ...{ vertical: 'RETAIL', email: 'shop@shop.example', websites: ['https://shop.example'] },
    },
    reads: ({ json }) => [json.success, json.error?.message],
  },
  {
    ...{ title: 'uploads a file', method: 'POST', path: `${version}/{line}/media`, form: upload, isChunked: true },
    reads: ({ json }) => json.id,
  },
  {
    ...{ title: 'its templates', path: `${version}/{account}/message_templates` },
    reads: ({ json }) => json.data.map(({ name }: { name: string }) => name),
  },
  {
    ...{ title: 'makes a template', method: 'POST', path: `${version}/{account}/message_templates` },
    json: {
      ...{ name: '{own}', category: 'MARKETING', allow_category_change: false, language: 'en_US' },
      components: body('Our shop opens at nine.'),
    },
    reads: ({ json }) => [json.error?.message, json.id, json.status, json.category],
  },
  {
    ...{ title: 'a template that cannot be', method: 'POST', path: `${version}/{account}/message_templates` },
    isRefused: true,
    json: { name: 'Not a name', category: 'MARKETING', language: 'en_US', components: body('Hello') },
    reads: ({ json }) => [json.error.message, json.error.code],
  },
  {
    ...{ title: 'changes a template', method: 'POST', path: `${version}/{editedId}` },
    json: { category: 'UTILITY', components: body('Your order is on its way.') },
    reads: ({ json }) => [json.error?.message, json.success],
  },
  {
    ...{ title: 'deletes a template', method: 'DELETE' },
    path: `${version}/{account}/message_templates?name={edited}&hsm_id={editedId}`,
    headers: { authorization: 'Bearer {token}' },
    reads: ({ json }) => [json.error?.message, json.success],
  },
]

export const evolutionFile = fileCall(`${version}/{file}`, { authorization: 'Bearer {token}' })
