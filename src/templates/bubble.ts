import type { Message, Template } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import { field, list, parseObject, text } from '../base/json.ts'
import {
  type BodyDraft,
  type ButtonDraft,
  type CardDraft,
  emptyBody,
  emptyDraft,
  type HeaderDraft,
  isMedia,
  type TemplateDraft,
} from './authoring/draft.ts'
import { mediaKinds } from './authoring/kinds.ts'
import { draftOf } from './authoring/read.ts'
import { fillText, parameterFormat, readText } from './markers.ts'
import { templateRecord } from './record.ts'

/** Where the file of a header is: behind a link, or known by an id of the upstream's. */
interface HeaderFile {
  readonly link: string | null
  readonly id: string | null
}

/** A message as its recipient sees it: a template without variables. */
export interface Bubble {
  readonly draft: TemplateDraft
  /** Of an authentication template, whose texts are the upstream's own. */
  readonly code: string | null
  /** The file of the header, and of each card's by its place. */
  readonly files: { readonly header: HeaderFile; readonly cards: readonly HeaderFile[] }
  /** What a list shows once it is opened. */
  readonly choices: readonly { readonly title: string; readonly description: string | null }[]
}

/**
 * @returns a function that shows messages as their recipients see them, with the template that each names, as it is
 *   now. The templates of many messages are read once
 */
export function bubblesOf(read: Pick<StoreReads, 'templatesNamed'>) {
  const known = new Map<string, Promise<readonly Template[]>>()
  const recordsOf = (channelId: string, name: string) => {
    const key = `${channelId} ${name}`
    const records = known.get(key) ?? read.templatesNamed({ channelId, name })
    known.set(key, records)
    return records
  }
  return async ({ channelId }: Pick<Message, 'channelId'>, payload: string) => {
    const named = templateNamed(payload)
    const records = named ? await recordsOf(channelId, named.name) : []
    const template = records.find(({ language }) => language === named?.language) ?? null
    return { template, bubble: bubbleOf(payload, template) }
  }
}

/**
 * Reads what a recipient sees from the upstream's request.
 * @param template the one that the request names, as it is now
 * @returns null for a request that cannot be read, and for a template that is not known any more
 */
export function bubbleOf(payload: string, template: Template | null): Bubble | null {
  const sent = parseObject(payload)
  switch (sent?.type) {
    case 'text':
      return { ...nothing, draft: { ...emptyDraft, body: bodyOf(field(sent.text, 'body')) } }
    case 'interactive':
      return interactiveBubble(sent.interactive)
    case 'template':
      return template && templateBubble(list(field(sent.template, 'components')), template)
    default:
      return null
  }
}

/** The name and language of the template that a request names. */
function templateNamed(payload: string): { readonly name: string; readonly language: string } | null {
  const sent = field(parseObject(payload), 'template')
  const name = text(field(sent, 'name'))
  const language = text(field(field(sent, 'language'), 'code'))
  return name === null || language === null ? null : { name, language }
}

const nothing = { code: null, files: { header: { link: null, id: null }, cards: [] }, choices: [] } as const

const bodyOf = (value: unknown): BodyDraft => ({ ...emptyBody, text: text(value) ?? '' })

function interactiveBubble(sent: unknown): Bubble {
  const action = field(sent, 'action')
  const header = field(sent, 'header')
  const rows = list(field(action, 'sections')).flatMap(section => list(field(section, 'rows')))
  return {
    code: null,
    draft: {
      ...emptyDraft,
      header: headerOf(header),
      body: bodyOf(field(field(sent, 'body'), 'text')),
      footer: text(field(field(sent, 'footer'), 'text')) ?? '',
      buttons: actionButtons(field(sent, 'type'), action),
    },
    files: { header: fileIn(header), cards: [] },
    choices: rows.map(row => ({
      title: text(field(row, 'title')) ?? '',
      description: text(field(row, 'description')),
    })),
  }
}

function headerOf(header: unknown): HeaderDraft {
  const type = field(header, 'type')
  if (type === 'text') return { kind: 'text', text: text(field(header, 'text')) ?? '', example: '' }
  const kind = mediaKinds.find(known => known === type)
  if (kind === undefined) return { kind: 'none' }
  return { kind, handle: '', fileName: text(field(field(header, kind), 'filename')) ?? '' }
}

/** @returns the file in a header, or in a parameter of one: callers wrote its link, and a person may follow it */
function fileIn(part: unknown): HeaderFile {
  const file = field(part, String(field(part, 'type')))
  const link = text(field(file, 'link'))
  return { link: link !== null && /^https?:\/\//i.test(link) ? link : null, id: text(field(file, 'id')) }
}

function actionButtons(type: unknown, action: unknown): ButtonDraft[] {
  const parameters = field(action, 'parameters')
  const label = (name: string) => text(field(parameters, name)) ?? ''
  switch (type) {
    case 'button':
      return list(field(action, 'buttons')).map(button => ({
        kind: 'quickReply',
        text: text(field(field(button, 'reply'), 'title')) ?? '',
      }))
    case 'list':
      return [{ kind: 'catalog', text: text(field(action, 'button')) ?? '' }]
    case 'cta_url':
      return [{ kind: 'url', text: label('display_text'), url: label('url'), example: '' }]
    case 'flow':
      return [{ kind: 'flow', text: label('flow_cta'), flowId: '', action: 'navigate', screen: '' }]
    default:
      return []
  }
}

type Components = readonly unknown[]

function templateBubble(sent: Components, template: Template): Bubble {
  const { draft } = draftOf(templateRecord(template))
  const format = parameterFormat(template.parameterFormat)
  const fill = (written: string, type: string) => filled(written, parametersOf(sent, type), format)
  const sentCards = draft.cards.map((_, at) => componentsOfCard(sent, at))
  const cards = draft.cards.map((card, at): CardDraft => {
    const own = sentCards[at] ?? []
    return {
      header: fileNamed(card.header, own),
      body: card.body && { ...emptyBody, text: filled(card.body.text, parametersOf(own, 'body'), format) },
      buttons: filledButtons(card.buttons, own),
    }
  })
  const [code] = parametersOf(sent, 'body')
  const { header } = draft
  return {
    draft: {
      ...draft,
      header: header.kind === 'text' ? { ...header, text: fill(header.text, 'header') } : fileNamed(header, sent),
      body: { ...emptyBody, text: fill(draft.body.text, 'body') },
      buttons: filledButtons(draft.buttons, sent),
      cards,
    },
    code: draft.category === 'AUTHENTICATION' ? text(field(code, 'text')) : null,
    files: { header: fileOf(sent), cards: sentCards.map(fileOf) },
    choices: [],
  }
}

const isOf = (component: unknown, type: string) => text(field(component, 'type'))?.toLowerCase() === type

const parametersOf = (sent: Components, type: string): Components =>
  list(
    field(
      sent.find(component => isOf(component, type)),
      'parameters',
    ),
  )

function componentsOfCard(sent: Components, at: number): Components {
  const cards = list(
    field(
      sent.find(component => isOf(component, 'carousel')),
      'cards',
    ),
  )
  return list(
    field(
      cards.find(card => field(card, 'card_index') === at),
      'components',
    ),
  )
}

const fileOf = (sent: Components): HeaderFile => fileIn(parametersOf(sent, 'header')[0])

/** A header with the name of the file that was sent. */
function fileNamed(header: HeaderDraft, sent: Components): HeaderDraft {
  if (!isMedia(header)) return header
  const [file] = parametersOf(sent, 'header')
  return { ...header, fileName: text(field(field(file, 'document'), 'filename')) ?? '' }
}

/** A text with its values, which come in the order of its variables, or with their names. */
function filled(written: string, parameters: Components, format: ReturnType<typeof parameterFormat>): string {
  const values = new Map(
    readText(written, format).slots.map(({ key, isNamed }, at) => {
      const named = parameters.find(parameter => field(parameter, 'parameter_name') === key)
      return [key, valueIn(isNamed ? named : parameters[at])] as const
    }),
  )
  return fillText(written, key => values.get(key))
}

function valueIn(parameter: unknown): string | undefined {
  const formatted = field(parameter, String(field(parameter, 'type')))
  return text(field(parameter, 'text')) ?? text(field(formatted, 'fallback_value')) ?? undefined
}

const filledButtons = (buttons: readonly ButtonDraft[], sent: Components): ButtonDraft[] =>
  buttons.map((button, at) => {
    const [value] = list(
      field(
        sent.find(component => isOf(component, 'button') && String(field(component, 'index')) === String(at)),
        'parameters',
      ),
    )
    if (button.kind === 'url') {
      return { ...button, url: fillText(button.url, () => valueIn(value)), example: '' }
    }
    return button.kind === 'copyCode' ? { ...button, example: text(field(value, 'coupon_code')) ?? '' } : button
  })
