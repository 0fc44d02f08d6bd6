import { fileCall, type Read, type RecordedCall } from './clients.ts'

/* What Chatwoot asks of the platform, with `WHATSAPP_CLOUD_BASE_URL` (docs/drop-in.md). */

/** Its own versions: one for messages and files, one for accounts; newer ones have one for all. */
const messages = 'v13.0/{line}/messages'
const templates = 'v14.0/{account}/message_templates'
const to = '+16505551234'

/** The id with which statuses are told; of a refusal the words, which the agent sees. */
const sent = ({ status, json }: Read) =>
  status < 300 && !json.error ? { id: json.messages[0].id } : { failed: json.error?.message }

const message = (title: string, json: object, path = messages): RecordedCall => ({
  ...{ title, method: 'POST', path, reads: sent },
  json: { messaging_product: 'whatsapp', to, ...json },
})

const template = (name: string, components: readonly object[], code = 'en_US') => ({
  recipient_type: 'individual',
  type: 'template',
  template: { name, language: { policy: 'deterministic', code }, components },
})

const button = (id: string) => ({ type: 'reply', reply: { id, title: id } })
const rows = ['Burrito', 'Pasta', 'Sushi', 'Salad'].map(id => ({ id, title: id }))

/** The templates of an inbox: without a header, page after page, each `next` as it stands. */
const listed = (read: Read) => (read.status < 300 && read.json.paging?.next ? { path: read.json.paging.next } : null)
const names = (...reads: readonly Read[]) =>
  reads.flatMap(({ json }) =>
    json.data.map((each: { name: string; language: string; status: string; components: unknown }) => [
      ...[each.name, each.language, each.status, each.components],
    ]),
  )

export const listing: RecordedCall = {
  ...{ title: 'checks the inbox, and reads its templates', path: `${templates}?access_token={token}`, headers: {} },
  ...{ next: listed, reads: names },
}

const token = '?access_token={token}'

/** What newer versions ask of the platform's own address, when an inbox is made by hand, and every six hours. */
const setup: readonly RecordedCall[] = [
  {
    ...{ title: 'the number of a new inbox', path: `v22.0/{account}/phone_numbers${token}`, headers: {} },
    reads: ({ json }) => json.data[0].display_phone_number,
  },
  {
    ...{ title: 'whether it is verified', path: 'v22.0/{line}?fields=status,code_verification_status' },
    reads: ({ json }) => [json.id, json.status, json.code_verification_status],
  },
  {
    ...{ title: 'whether the token may send', path: 'v22.0/me/permissions', needs: true },
    reads: ({ json }) =>
      json.data.some(
        (each: { permission: string; status: string }) =>
          each.permission === 'whatsapp_business_messaging' && each.status === 'granted',
      ),
  },
  {
    ...{ title: 'subscribes its app', method: 'POST', path: 'v22.0/{account}/subscribed_apps' },
    json: { subscribed_fields: ['messages', 'smb_message_echoes'] },
    reads: ({ json }) => json.success,
  },
  {
    ...{ title: 'takes its address from the number', method: 'POST', path: 'v22.0/{line}' },
    json: { webhook_configuration: { override_callback_uri: '' } },
    reads: ({ json }) => json.success,
  },
  {
    ...{ title: 'the health of its number', headers: {} },
    path: `v24.0/{line}${token}&fields=id,quality_rating,status,display_phone_number,verified_name,webhook_configuration`,
    reads: ({ json }) => [json.id, json.quality_rating, json.display_phone_number],
  },
  {
    ...{
      title: 'the health of its account',
      path: `v24.0/{account}${token}&fields=id,name,owner_business_info`,
      headers: {},
    },
    reads: ({ json }) => [json.id, json.name],
  },
]

export const chatwoot: readonly RecordedCall[] = [
  message('a text', { context: null, text: { body: 'Hello' }, type: 'text' }),
  message('an answer', { context: { message_id: '{inbound}' }, text: { body: 'Hello' }, type: 'text' }),
  message(
    'a text by a newer version',
    { context: null, text: { body: 'Hello' }, type: 'text' },
    'v22.0/{line}/messages',
  ),
  message('a text to a user id', {
    ...{ to: undefined, recipient_type: 'individual', recipient: 'US.13491208655302741918' },
    ...{ context: null, text: { body: 'Hello' }, type: 'text' },
  }),
  message('a picture', {
    context: null,
    type: 'image',
    image: { link: '{files}/rails/active_storage/blobs/redirect/photo.png', caption: 'Look' },
  }),
  message('a picture without words', {
    context: null,
    type: 'image',
    image: { link: '{files}/rails/active_storage/blobs/redirect/photo.png', caption: null },
  }),
  message('a voice message', {
    context: null,
    type: 'audio',
    audio: { link: '{files}/rails/active_storage/blobs/redirect/voice.ogg', voice: true },
  }),
  message('a document', {
    ...{ context: null, type: 'document' },
    document: {
      link: '{files}/rails/active_storage/blobs/redirect/invoice.pdf',
      caption: 'Your invoice',
      filename: 'invoice.pdf',
    },
  }),
  message('buttons', {
    type: 'interactive',
    interactive: { type: 'button', body: { text: 'Which?' }, action: { buttons: ['Burrito', 'Pasta'].map(button) } },
  }),
  message('buttons as JSON in JSON, as some versions write them', {
    type: 'interactive',
    interactive: {
      ...{ type: 'button', body: { text: 'Which?' } },
      action: JSON.stringify({ buttons: ['Burrito', 'Pasta'].map(button) }),
    },
  }),
  message('a list as JSON in JSON', {
    type: 'interactive',
    interactive: {
      ...{ type: 'list', body: { text: 'Which?' } },
      action: JSON.stringify({ button: 'Choose an item', sections: [{ rows }] }),
    },
  }),
  message('a template without values', template('hello_world', [])),
  message(
    'a template with values',
    template('order_confirmation', [
      { type: 'body', parameters: ['1001', 'Ada'].map(text => ({ type: 'text', text })) },
      { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '1001' }] },
    ]),
  ),
  { ...message('a template that does not exist', template('none', [])), isRefused: true },
  listing,
  ...setup,
  {
    ...{ title: 'its survey, which is not there', path: `${templates}?name=customer_satisfaction_survey` },
    reads: ({ status, json }) => [status, json.data],
  },
  {
    ...{ title: 'makes its survey', method: 'POST', path: templates },
    json: {
      ...{ name: '{own}', language: 'en', category: 'UTILITY' },
      components: [
        { type: 'BODY', text: 'Please rate the conversation' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'URL', text: 'Rate us', url: 'https://inbox.example/survey/responses/{{1}}', example: ['12345'] },
          ],
        },
      ],
    },
    reads: ({ status, json }) => [status, json.id],
  },
  {
    ...{ title: 'deletes its survey', method: 'DELETE', path: `${templates}?name={kept}` },
    reads: ({ status }) => status,
  },
]

const bearer = { authorization: 'Bearer {token}' }
export const chatwootFile = fileCall('v13.0/{file}?phone_number_id={line}', {
  ...bearer,
  'content-type': 'application/json',
})
