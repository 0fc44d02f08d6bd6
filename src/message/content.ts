import { field, isObject, isText, list, parseObject, text } from '../base/json.ts'

/** What the upstream's request of a message says to its reader. */
export interface SentWords {
  /** All words: of a text, of an interactive message, and the values of a template. */
  readonly all: readonly string[]
  /** The main text; null for a template, whose text the request does not have. */
  readonly main: string | null
  /** Of the template; null for any other. */
  readonly language: string | null
}

/** The fields of a request that people read. All others are names, kinds and ids. */
const readFields: ReadonlySet<string> = new Set([
  'body',
  'caption',
  'coupon_code',
  'description',
  'display_text',
  'emoji',
  'fallback_value',
  'filename',
  'formatted_name',
  'text',
  'title',
])

/** @param payload the upstream's request */
export function wordsOf(payload: string): SentWords {
  const sent = parseObject(payload) ?? {}
  const type = text(sent.type) ?? ''
  const content = sent[type]
  return {
    all: [...readWords(content), ...(type === 'location' ? placeWords(content) : [])],
    main: mainWords(type, content),
    language: type === 'template' ? text(field(field(content, 'language'), 'code')) : null,
  }
}

/** @param payload the upstream's request @returns whether it sends a sound as a message that was spoken */
export const isVoice = (payload: string): boolean => field(parseObject(payload)?.audio, 'voice') === true

function mainWords(type: string, content: unknown): string | null {
  switch (type) {
    case 'text':
      return text(field(content, 'body'))
    case 'location':
      return placeWords(content).join(', ') || null
    case 'contacts':
      return (
        list(content)
          .flatMap(card => text(field(field(card, 'name'), 'formatted_name')) ?? [])
          .join(', ') || null
      )
    case 'reaction':
      return text(field(content, 'emoji'))
    default:
      return (
        text(field(field(content, 'body'), 'text')) ??
        text(field(content, 'caption')) ??
        text(field(content, 'filename'))
      )
  }
}

/** A name is that of a thing in all other messages. */
const placeWords = (place: unknown): string[] => ['name', 'address'].flatMap(name => text(field(place, name)) ?? [])

/** A request that was accepted is not nested deeply. */
function* readWords(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* readWords(item)
  if (!isObject(value)) return
  for (const [name, part] of Object.entries(value)) {
    if (isText(part)) {
      if (readFields.has(name)) yield part
    } else yield* readWords(part)
  }
}
