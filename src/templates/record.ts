import type { Template } from '../../db/contract/records.ts'
import type { TemplateComponent } from '../graph/wire.ts'

/** What is needed of a stored template. */
export type StoredTemplate = Omit<Template, 'channelId' | 'lastUpdateAt'>

/** @returns the record as the upstream lists it, read back from its stored form; see `readComponents`. */
export const templateRecord = ({ upstreamId, parameterFormat, components, ...template }: StoredTemplate) => ({
  ...template,
  id: upstreamId,
  parameter_format: parameterFormat,
  components: readComponents(JSON.parse(components)),
})

/** @returns the upstream's structure as it was listed, field by field. */
export const listedComponents = ({ components }: Pick<StoredTemplate, 'components'>): object[] =>
  (JSON.parse(components) as unknown[]).filter(listed => typeof listed === 'object' && listed !== null)

/**
 * Reads a listing's components (docs/upstream.md#templates). A field of a wrong type counts as missing.
 * Unknown fields and components stay. Anything that is no component is skipped, so that one strange record does not
 * break the list or the sends of others. Buttons and cards keep their positions, because a send names them by number.
 */
export function readComponents(value: unknown): TemplateComponent[] {
  // The readers below let through only what the type says.
  return (listOf(component)(value) ?? []) as TemplateComponent[]
}

/** @returns the value when it has that type, else undefined. */
type Reader = (value: unknown) => unknown

const text: Reader = value => (typeof value === 'string' ? value : undefined)
const number: Reader = value => (typeof value === 'number' ? value : undefined)
const boolean: Reader = value => (typeof value === 'boolean' ? value : undefined)
const either =
  (...readers: readonly Reader[]): Reader =>
  value =>
    readers.map(read => read(value)).find(known => known !== undefined)

/** @param instead replaces an element of a wrong type; without it, such elements are left out */
const listOf =
  (read: Reader, instead?: object): Reader =>
  value =>
    Array.isArray(value) ? value.map(item => read(item) ?? instead).filter(known => known !== undefined) : undefined

/** Fields without a reader stay as they are. An object without all of `required` is none. */
const object =
  (fields: Readonly<Record<string, Reader>>, required: readonly string[] = []): Reader =>
  value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const read = (name: string, inner: unknown) => (Object.hasOwn(fields, name) ? fields[name]?.(inner) : inner)
    const known = Object.entries(value)
      .map(([name, inner]) => [name, read(name, inner)] as const)
      .filter(([, inner]) => inner !== undefined)
    return required.every(name => known.some(([given]) => given === name)) ? Object.fromEntries(known) : undefined
  }

const namedExamples = listOf(object({ param_name: text, example: text }, ['param_name', 'example']))

const example = object({
  header_text: listOf(text),
  header_handle: listOf(text),
  body_text: either(text, listOf(either(text, listOf(text)))),
  body_text_named_params: namedExamples,
  header_text_named_params: namedExamples,
})

const button = object(
  { type: text, text, url: text, phone_number: text, otp_type: text, example: either(text, listOf(text)) },
  ['type'],
)

const componentFields = {
  type: text,
  format: text,
  text,
  example,
  buttons: listOf(button, { type: 'UNKNOWN' }),
  add_security_recommendation: boolean,
  code_expiration_minutes: number,
  limited_time_offer: object({ text, has_expiration: boolean }),
}

/** A card holds no cards. */
const card = object({ components: listOf(object({ ...componentFields, cards: () => undefined }, ['type'])) })

const component = object({ ...componentFields, cards: listOf(card, { components: [] }) }, ['type'])
