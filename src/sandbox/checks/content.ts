import { charCount } from '../../base/chars.ts'
import type { EpochMs } from '../../base/clock.ts'
import { isObject, isText, type JsonObject } from '../../base/json.ts'
import { captionCharsMax, contactCardsMax, degreesMax, textCharsMax } from '../../base/upstreamLimits.ts'
import { isHttpAddress, type Media } from '../state/media.ts'
import { checkSentInteractive } from './interactive.ts'
import { isWamid } from './messages.ts'
import { PROBLEMS } from './problems.ts'
import { firstRefusal, type Refusal } from './refusals.ts'
import { isMonoOpus } from './sniff.ts'

export interface ContentChecks {
  readonly media: Media
  readonly lineId: string
  readonly now: EpochMs
}

/** Checks the content of a free-form message; templates have their own checks. */
export function checkContent(type: string, content: unknown, checks: ContentChecks): Refusal | undefined {
  if (type === 'contacts') return checkCards(content)
  if (!isObject(content)) return PROBLEMS.notAnObject(type)
  switch (type) {
    case 'text':
      return checkText(content)
    case 'location':
      return checkLocation(content)
    case 'reaction':
      if (content.message_id === undefined) return PROBLEMS.required("reaction['message_id']")
      if (!isWamid(content.message_id)) return PROBLEMS.invalid("reaction['message_id'] is not a valid message id")
      // An empty one takes a reaction back.
      return isText(content.emoji)
        ? unknownKey('reaction', content, ['message_id', 'emoji'])
        : PROBLEMS.required("reaction['emoji']")
    case 'interactive':
      return checkSentInteractive(content, (kind, reference) =>
        checks.media.checkReference(kind, reference, checks.lineId, checks.now),
      )
    default:
      return checkFile(type, content, checks)
  }
}

function unknownKey(path: string, content: JsonObject, known: readonly string[]): Refusal | undefined {
  const key = Object.keys(content).find(name => !known.includes(name))
  return key === undefined ? undefined : PROBLEMS.unexpectedKey(path, key)
}

function checkText(content: JsonObject): Refusal | undefined {
  const unexpected = unknownKey('text', content, ['body', 'preview_url'])
  if (unexpected) return unexpected
  if (content.body === undefined) return PROBLEMS.required("text['body']")
  if (!isText(content.body)) return PROBLEMS.wrongType("text['body']", 'a string')
  if (content.preview_url !== undefined && typeof content.preview_url !== 'boolean')
    return PROBLEMS.wrongType("text['preview_url']", 'a boolean')
  if (content.body.trim() === '') return PROBLEMS.required("text['body']")
  return charCount(content.body) > textCharsMax ? PROBLEMS.tooLong("text['body']", textCharsMax) : undefined
}

function checkLocation(content: JsonObject): Refusal | undefined {
  const unexpected = unknownKey('location', content, [...coordinates, 'name', 'address'])
  if (unexpected) return unexpected
  for (const key of coordinates) {
    if (content[key] === undefined) return PROBLEMS.required(`location['${key}']`)
    if (!isCoordinate(key, content[key])) return PROBLEMS.invalid(`location['${key}'] is invalid`)
  }
  const wrong = ['name', 'address'].find(key => content[key] !== undefined && !isText(content[key]))
  return wrong === undefined ? undefined : PROBLEMS.wrongType(`location['${wrong}']`, 'a string')
}

export const coordinates = ['latitude', 'longitude'] as const

/** Numbers and numeric text are taken alike: the upstream's samples have both. */
export function isCoordinate(key: (typeof coordinates)[number], value: unknown): boolean {
  const degrees = typeof value === 'number' ? value : Number(isText(value) && value !== '' ? value : Number.NaN)
  return Math.abs(degrees) <= degreesMax[key]
}

const cardKeys = ['name', 'phones', 'emails', 'addresses', 'urls', 'org', 'birthday']
const nameKeys = ['formatted_name', 'first_name', 'last_name', 'middle_name', 'suffix', 'prefix']

function checkCards(cards: unknown): Refusal | undefined {
  if (!Array.isArray(cards) || cards.length === 0) return PROBLEMS.wrongType('contacts', 'an array')
  if (cards.length > contactCardsMax) return PROBLEMS.invalid(`contacts: at most ${contactCardsMax}`)
  return firstRefusal(cards.entries(), ([at, card]) => checkCard(card, `contacts[${at}]`))
}

function checkCard(card: unknown, path: string): Refusal | undefined {
  if (!isObject(card)) return PROBLEMS.notAnObject(path)
  const { name, birthday, org } = card
  const unexpected = unknownKey(path, card, cardKeys)
  if (unexpected) return unexpected
  if (name === undefined) return PROBLEMS.required(`${path}['name']`)
  if (!isObject(name)) return PROBLEMS.notAnObject(`${path}['name']`)
  const wrong = unknownKey(`${path}['name']`, name, nameKeys)
  if (wrong) return wrong
  if (!isText(name.formatted_name) || name.formatted_name === '')
    return PROBLEMS.required(`${path}['name']['formatted_name']`)
  if (!nameKeys.slice(1).some(key => isText(name[key]) && name[key] !== '')) return PROBLEMS.nameAlone(path)
  const noList = ['phones', 'emails', 'addresses', 'urls'].find(
    key => card[key] !== undefined && !(Array.isArray(card[key]) && card[key].every(isObject)),
  )
  if (noList !== undefined) return PROBLEMS.wrongType(`${path}['${noList}']`, 'an array of objects')
  if (org !== undefined && !isObject(org)) return PROBLEMS.notAnObject(`${path}['org']`)
  return birthday === undefined || (isText(birthday) && /^\d{4}-\d\d-\d\d$/.test(birthday))
    ? undefined
    : PROBLEMS.invalid(`${path}['birthday'] must be YYYY-MM-DD`)
}

/** What a file of each kind may have beside its id or link. */
const besides: Readonly<Record<string, readonly string[]>> = {
  image: ['caption'],
  video: ['caption'],
  document: ['caption', 'filename'],
  audio: ['voice'],
  sticker: [],
}

function checkFile(type: string, content: JsonObject, { media, lineId, now }: ContentChecks): Refusal | undefined {
  const { id, caption, filename, link, voice } = content
  const unexpected = unknownKey(type, content, ['id', 'link', ...(besides[type] ?? [])])
  if (unexpected) return unexpected
  if (caption !== undefined && !isText(caption)) return PROBLEMS.wrongType(`${type}['caption']`, 'a string')
  if (filename !== undefined && !isText(filename)) return PROBLEMS.wrongType(`${type}['filename']`, 'a string')
  if (voice !== undefined && typeof voice !== 'boolean') return PROBLEMS.wrongType(`${type}['voice']`, 'a boolean')
  if (isText(caption) && charCount(caption) > captionCharsMax)
    return PROBLEMS.tooLong(`${type}['caption']`, captionCharsMax)
  if (link !== undefined && !(isText(link) && isHttpAddress(link))) return PROBLEMS.mediaLink()
  const refusal = media.checkReference(type, content, lineId, now)
  if (refusal || voice !== true || !isText(id)) return refusal
  const file = media.find(id, now)
  return file && isMonoOpus(file.bytes) ? undefined : PROBLEMS.mediaKind('voice', file?.mimeType ?? '')
}
