import { isObject, isText, type JsonObject, list } from '../../base/json.ts'
import { fileKinds } from '../callbacks/inboundInput.ts'
import { fill, type Templates } from '../state/records.ts'

/** Text for a page: whatever was sent, it is shown and not run. */
export const escaped = (text: unknown): string =>
  String(text ?? '').replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((here: unknown, key) => (isObject(here) ? here[key] : undefined), value)

const line = (text: unknown, kind = 'p') => (isText(text) && text !== '' ? `<${kind}>${escaped(text)}</${kind}>` : '')

/** @returns the id of the message that one reacts to, and with what; null for one that is no reaction */
export function reactionIn(body: JsonObject): { readonly to: string; readonly emoji: string } | null {
  const [to, emoji] = [at(body.reaction, 'message_id'), at(body.reaction, 'emoji')]
  return body.type === 'reaction' && isText(to) && isText(emoji) ? { to, emoji } : null
}

/**
 * What a user sees of a message: plain, and of every kind that can be sent.
 * @param wordsOf of an earlier message on the phone; undefined: it is not there
 */
export function bubble(
  body: JsonObject,
  templates: Templates,
  wordsOf: (wamid: string) => string | undefined = () => undefined,
): string {
  const { type = 'text', context } = body
  const content = isText(type) ? body[type] : undefined
  const quoted = at(context, 'message_id')
  return (
    (isText(quoted) ? `<q>${escaped(wordsOf(quoted) ?? `answers ${quoted}`)}</q>` : '') +
    contentOf(String(type), content, templates)
  )
}

function contentOf(type: string, content: unknown, templates: Templates): string {
  if (fileKinds.some(kind => kind === type)) return file(type, content) + line(at(content, 'caption'))
  switch (type) {
    case 'text':
      return line(at(content, 'body'))
    case 'location': {
      const place = `${escaped(at(content, 'latitude'))}, ${escaped(at(content, 'longitude'))}`
      return `<p>📍 ${place}</p>${line(at(content, 'name'), 'b')}${line(at(content, 'address'))}`
    }
    case 'contacts':
      return list(content).map(card).join('')
    case 'reaction': {
      const emoji = at(content, 'emoji')
      const what = emoji === '' ? 'takes the reaction back' : `reacts with ${escaped(emoji)}`
      return `<p>${what}</p><q>to ${escaped(at(content, 'message_id'))}</q>`
    }
    case 'button':
      return line(at(content, 'text'))
    case 'template':
      return template(content, templates)
    case 'interactive':
      return interactive(content)
    default:
      return `<p>(${escaped(type)})</p>`
  }
}

/** Files are shown from where they are: an address that was sent, or what was uploaded. */
function file(kind: string, content: unknown): string {
  const [id, link] = [at(content, 'id'), at(content, 'link')]
  const source = escaped(isText(link) ? link : `/sandbox/media/${encodeURIComponent(String(id ?? ''))}`)
  if (kind === 'image' || kind === 'sticker') return `<img src="${source}" alt="${kind}">`
  if (kind === 'video') return `<video src="${source}" controls></video>`
  const label = at(content, 'voice') === true ? '🎤 voice message' : '🎵 audio'
  if (kind === 'audio') return `<p>${label}</p><audio src="${source}" controls></audio>`
  return `<p>📄 <a href="${source}">${escaped(at(content, 'filename') ?? 'document')}</a></p>`
}

const card = (contact: unknown): string =>
  line(`👤 ${String(at(contact, 'name', 'formatted_name') ?? '')}`) +
  list(at(contact, 'phones'))
    .map(phone => line(at(phone, 'phone')))
    .join('')

const button = (label: unknown) => `<i>${escaped(label)}</i>`

function interactive(content: unknown): string {
  const { action } = isObject(content) ? content : {}
  const rows = list(at(action, 'sections')).flatMap(section => [
    line(at(section, 'title'), 'b'),
    ...list(at(section, 'rows')).map(row => button(at(row, 'title')) + line(at(row, 'description'))),
    ...list(at(section, 'product_items')).map(item => line(`🛒 ${String(at(item, 'product_retailer_id'))}`)),
  ])
  const labels = [
    ...list(at(action, 'buttons')).map(
      each => at(each, 'reply', 'title') ?? at(each, 'quick_reply', 'title') ?? at(each, 'cta_url', 'display_text'),
    ),
    at(action, 'button'),
    at(action, 'parameters', 'display_text') ?? at(action, 'parameters', 'flow_cta'),
    fixedLabels[String(at(content, 'type'))],
  ]
  return [
    header(at(content, 'header')),
    line(at(content, 'body', 'text')),
    line(at(content, 'footer', 'text'), 'small'),
    // What a user has tapped.
    line(at(content, 'button_reply', 'title') ?? at(content, 'list_reply', 'title')),
    at(content, 'type') === 'product' ? line(`🛒 ${String(at(action, 'product_retailer_id'))}`) : '',
    ...labels.filter(label => label !== undefined).map(button),
    ...rows,
    ...list(at(action, 'cards')).map(each => `<div class="card">${interactive(each)}${productOf(each)}</div>`),
  ].join('')
}

const productOf = (inCard: unknown): string => {
  const id = at(inCard, 'action', 'product_retailer_id')
  return isText(id) ? line(`🛒 ${id}`) : ''
}

/** The app's own labels of what has none. */
const fixedLabels: Readonly<Record<string, string>> = {
  location_request_message: 'Send location',
  request_contact_info: 'Share contact info',
  call_permission_request: 'Choose preference',
  voice_call: '📞 Call',
  catalog_message: 'View catalog',
  address_message: 'Provide address',
}

function header(given: unknown): string {
  const kind = at(given, 'type')
  if (kind === 'text') return line(at(given, 'text'), 'b')
  return isText(kind) ? file(kind, at(given, kind)) : ''
}

/** The text of the template with what was sent for it. */
function template(content: unknown, templates: Templates): string {
  const [name, language] = [at(content, 'name'), at(content, 'language', 'code')]
  const plan = templates.plan(String(name), String(language))
  const components = list(at(content, 'components'))
  const parameters = (type: string) =>
    list(
      at(
        components.find(each => String(at(each, 'type')).toLowerCase() === type),
        'parameters',
      ),
    )
  const filled = (text: string, type: string, variables: readonly string[]) => {
    const given = parameters(type)
    const values = variables.map((variable, index): [string, string] => {
      const named = given.find(each => at(each, 'parameter_name') === variable) ?? given[index]
      return [variable, String(at(named, 'text') ?? at(named, String(at(named, 'type')), 'fallback_value') ?? '')]
    })
    return fill(text, new Map(values))
  }
  if (!plan) return line(`(template ${String(name)})`)
  const { header: head, body, buttons } = plan.parts
  const [media] = parameters('header')
  const kind = at(media, 'type')
  return [
    head?.format === 'TEXT' ? line(filled(head.text, 'header', head.variables), 'b') : '',
    isText(kind) && kind !== 'text' ? contentOf(kind, at(media, kind), templates) : '',
    line(filled(body.text, 'body', body.variables) || `(template ${String(name)})`),
    ...buttons.map(({ label }) => button(label)),
  ].join('')
}
