import type { eventless } from '../src/message/state.ts'
import type { Row } from './schema/tables.ts'

/**
 * What a send brings of a message, and what is decided about each: a column of `messages` without its line here is a
 * type error. What all messages have (ids, times, status) and what their events set stands in records.ts.
 */
type MessageFieldName = Exclude<
  keyof Row<'messages'>,
  | keyof typeof eventless
  | ('id' | 'workspaceId' | 'status' | 'createdAt' | 'dispatchedAt')
  | ('seq' | 'lineSeq' | 'apiKeySeq' | 'sequence' | 'instanceSeq')
>

interface MessageField {
  /** For people: what it is. */
  readonly meaning: string
  /**
   * `callers`: in each answer, event and status. `to`: there too, in `to` (src/sending/view.ts). `operator`: in
   * commands, the console and exports alone.
   */
  readonly shownTo: 'callers' | 'to' | 'operator'
  /**
   * The name of the filter by its exact value, on every face; null: none. It stands in the index
   * `messages_workspace` of db/schema/postgres.ts and sqlite.ts. `orNone`: it may also be `withoutOne`. `isWalked`: it
   * has an index of its own, in db/schema/messages.ts, and a walk (rules/searchStep.ts).
   */
  readonly filter: { readonly name: string; readonly orNone: boolean; readonly isWalked?: true } | null
  /** Whether a message that is sent again has it too. */
  readonly again: 'kept' | 'new'
  /**
   * Whether it may name a person, or be the caller's word for one: an erasure leaves null of it, and of the recipient
   * that it was forgotten.
   */
  readonly forgotten: 'kept' | 'erased'
}

/** In the order in which exports have them. */
export const messageFields = {
  type: {
    meaning: 'Its type.',
    shownTo: 'callers',
    filter: { name: 'type', orNone: false },
    again: 'kept',
    forgotten: 'kept',
  },
  templateName: {
    meaning: "The template's name.",
    shownTo: 'callers',
    filter: { name: 'template', orNone: true },
    again: 'kept',
    forgotten: 'kept',
  },
  templateLanguage: {
    meaning: "The template's language.",
    shownTo: 'operator',
    filter: { name: 'language', orNone: false },
    again: 'kept',
    forgotten: 'kept',
  },
  /** A filter by it walks along an index of its own (rules/searchStep.ts). */
  recipient: {
    meaning: "A phone number, the channel's user id, or `forgotten`.",
    shownTo: 'to',
    filter: null,
    again: 'kept',
    forgotten: 'erased',
  },
  reference: {
    meaning: "The caller's own word for the message.",
    shownTo: 'callers',
    filter: { name: 'reference', orNone: false, isWalked: true },
    again: 'kept',
    forgotten: 'erased',
  },
  contactId: {
    meaning: 'The contact that it was sent to.',
    shownTo: 'to',
    filter: null,
    again: 'kept',
    forgotten: 'kept',
  },
  /** It is kept as long as a repeated send has to find its message. */
  idempotencyKey: {
    meaning: "The caller's idempotency key.",
    shownTo: 'callers',
    filter: null,
    again: 'new',
    forgotten: 'kept',
  },
  requestId: {
    meaning: "The caller's `X-Request-Id`.",
    shownTo: 'operator',
    filter: null,
    again: 'new',
    forgotten: 'kept',
  },
  /** An id of ours, which says nothing of a person. */
  againOf: {
    meaning: 'The message that it repeats: somebody sent that one again in the console.',
    shownTo: 'callers',
    filter: null,
    again: 'new',
    forgotten: 'kept',
  },
} as const satisfies Readonly<Record<MessageFieldName, MessageField>>

type Fields = typeof messageFields

export const messageFieldNames = Object.keys(messageFields) as MessageFieldName[]

type ShownTo<To extends MessageField['shownTo']> = {
  [Name in MessageFieldName]: Fields[Name]['shownTo'] extends To ? Name : never
}[MessageFieldName]
const shownTo = <To extends MessageField['shownTo']>(...whom: To[]) =>
  messageFieldNames.filter((name): name is ShownTo<To> => whom.some(to => to === messageFields[name].shownTo))

/** What is read for callers. */
export type CallerField = ShownTo<'callers' | 'to'>
export const callerFieldNames = shownTo('callers', 'to')

type Erased = {
  [Name in MessageFieldName]: Fields[Name]['forgotten'] extends 'erased' ? Name : never
}[MessageFieldName]
/** What an erasure takes of what a send has brought. */
export const erasedFieldNames = messageFieldNames.filter(
  (name): name is Erased => messageFields[name].forgotten === 'erased',
)

/** Those that callers see under their own names. */
const namedFieldNames = shownTo('callers')

/** @returns a value for each field that callers see under its name */
export const byNamedField = <Value>(of: (name: ShownTo<'callers'>) => Value) =>
  Object.fromEntries(namedFieldNames.map(name => [name, of(name)])) as Record<ShownTo<'callers'>, Value>

/** @returns what a field is, for people */
export const meaningOf = (name: MessageFieldName): string => messageFields[name].meaning

/** @returns what takes these fields, and nothing else, of anything that has them */
export const pickedOf =
  <Name extends string>(names: readonly Name[]) =>
  <Value extends Readonly<Record<Name, unknown>>>(of: Value): Pick<Value, Name> => {
    const picked: Partial<Pick<Value, Name>> = {}
    for (const name of names) picked[name] = of[name]
    return picked as Pick<Value, Name>
  }

/** @returns these fields of a message, or of its columns */
export const fieldsOf = pickedOf(messageFieldNames)
/** @returns those that are read for callers */
export const callerFieldsOf = pickedOf(callerFieldNames)
/** @returns those that callers see under their names */
export const namedFieldsOf = pickedOf(namedFieldNames)

type FilteredField = {
  [Name in MessageFieldName]: Fields[Name]['filter'] extends null ? never : Name
}[MessageFieldName]

/** The filters by the exact value of a field. */
export type FieldFilters = {
  readonly [Name in FilteredField as NonNullable<Fields[Name]['filter']>['name']]: NonNullable<Row<'messages'>[Name]>
}

/** Each of these filters, with its field and column. */
export const fieldFilters = messageFieldNames.flatMap(field => {
  const { filter }: MessageField = messageFields[field]
  if (filter === null) return []
  const column = field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return [
    {
      name: filter.name as keyof FieldFilters,
      field,
      column,
      orNone: filter.orNone,
      isWalked: filter.isWalked ?? false,
    },
  ]
})

/** @returns a value for each of these filters, by its name */
export const byFieldFilter = <Value>(of: (filter: (typeof fieldFilters)[number]) => Value) =>
  Object.fromEntries(fieldFilters.map(filter => [filter.name, of(filter)])) as Record<keyof FieldFilters, Value>
