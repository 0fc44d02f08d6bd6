import { InvalidArgumentError } from 'commander'
import { userRoles } from '../../db/contract/roles.ts'
import { type EventType, eventTypes } from '../base/eventTypes.ts'
import { type KeyScope, keyScopes } from '../base/keyScopes.ts'
import { isEmail, isPrintable, nameOf, nameRule } from '../base/names.ts'
import { readPhone } from '../base/phone.ts'
import type { TSchema } from '../base/schema.ts'
import { templateNameCharsMax } from '../base/upstreamLimits.ts'
import { emailRule, isAppId, isId, lineNumberOf, lineNumberRule } from '../operations/fields.ts'

/** The kinds of records that a word of the command line may name. */
export type Listed =
  | 'batch'
  | 'workspace'
  | 'channel'
  | 'line'
  | 'key'
  | 'contact'
  | 'message'
  | 'template'
  | 'user'
  | 'webhook'

/** Turns a text of the command line into a value. `read` throws InvalidArgumentError with the broken rule. */
export interface Reader<Value> {
  readonly placeholder: string
  /** The option may be given several times, and its value is the list of them. */
  readonly isList?: boolean
  /** All possible texts, where these are few: for the help and for completion. */
  readonly choices?: readonly string[]
  /** The kind of record that the text names; completion looks it up. */
  readonly of?: Listed
  read(text: string): Value
}

/** One option or argument of a command. Its key is its name: `monthlyLimit` is `--monthly-limit`. */
export interface Input<Value> {
  readonly kind: 'option' | 'argument'
  readonly help: string
  readonly isRequired: boolean
  /** Null for a switch, which takes no value. */
  readonly reader: Reader<Value> | null
  readonly fallback: Value | undefined
}

export type Inputs = Readonly<Record<string, Input<unknown>>>

/** The inputs of a command, read and checked. */
export type Values<Given extends Inputs> = {
  readonly [Name in keyof Given]: Given[Name] extends Input<infer Value> ? Value : never
}

const input = <Value>(reader: Reader<Value> | null, help: string, more: Partial<Input<Value>> = {}): Input<Value> => ({
  kind: 'option',
  help,
  isRequired: false,
  reader,
  fallback: undefined,
  ...more,
})

export const argument = <Value>(reader: Reader<Value>, help: string) =>
  input(reader, help, { kind: 'argument', isRequired: true })

/** An argument that an option may replace. */
export const optionalArgument = <Value>(reader: Reader<Value>, help: string) =>
  input<Value | undefined>(reader, help, { kind: 'argument' })

export const required = <Value>(reader: Reader<Value>, help: string) => input(reader, help, { isRequired: true })

export const optional = <Value>(reader: Reader<Value>, help: string) => input<Value | undefined>(reader, help)

export const withDefault = <Value>(reader: Reader<Value>, fallback: Value, help: string) =>
  input(reader, help, { fallback })

/** An option without a value: false unless it is given. */
export const toggle = (help: string) => input(null, help, { fallback: false })

/**
 * @param rule what is said of a text that breaks it
 * @param read the value; null when the text breaks the rule
 */
export const readerOf = <Value>(
  placeholder: string,
  rule: string,
  read: (text: string) => Value | null,
): Reader<Value> => ({
  placeholder,
  read(text) {
    const value = read(text)
    if (value === null) throw new InvalidArgumentError(rule)
    return value
  },
})

const idRule = 'It must be an id: letters, digits, _ and - only.'
export const id = readerOf('id', idRule, text => (isId(text) ? text : null))

/** An id of ours. */
export const idOf = (of: Listed): Reader<string> => ({ ...id, of })

/** Several words with commas; the option may also be given several times. @param read each; null breaks the rule */
const wordsOf = <Word>(placeholder: string, rule: string, read: (text: string) => Word | null) => ({
  ...readerOf<readonly Word[]>(placeholder, rule, text => {
    const named = text.split(',').map(word => word.trim())
    const known = named.flatMap(word => read(word) ?? [])
    return known.length === named.length ? known : null
  }),
  isList: true,
})

/** Ids of ours. */
export const idsOf = (of: Listed): Reader<readonly string[]> => ({
  ...wordsOf('id', idRule, word => (isId(word) ? word : null)),
  of,
})

export const eventTypeList: Reader<readonly EventType[]> = wordsOf(
  'types',
  `It must be of ${eventTypes.join(', ')}.`,
  word => eventTypes.find(type => type === word) ?? null,
)

export const keyScopeList: Reader<readonly KeyScope[]> = wordsOf(
  'scopes',
  `It must be of ${keyScopes.join(', ')}.`,
  word => keyScopes.find(scope => scope === word) ?? null,
)

export const appId = readerOf('id', 'It must be the id of an app: digits only.', text => (isAppId(text) ? text : null))

/** One line of text without control characters, within the bounds of a field: foreign ids, and keys of callers. */
export function reference(field: TSchema, placeholder = 'id') {
  const { maxLength = 0 } = field as { maxLength?: number }
  return readerOf(placeholder, `It must have 1 to ${maxLength} printable characters.`, text =>
    text !== '' && text.length <= maxLength && isPrintable(text) ? text : null,
  )
}

export const name = readerOf('name', `It ${nameRule}.`, nameOf)

export const templateName: Reader<string> = {
  ...reference({ maxLength: templateNameCharsMax }, 'name'),
  of: 'template',
}

export const email = readerOf('email', `It ${emailRule}.`, text => (isEmail(text.trim()) ? text.trim() : null))

export const phone: Reader<string> = {
  placeholder: 'number',
  read(text) {
    const reading = readPhone(text)
    if (!reading.ok) throw new InvalidArgumentError(`It ${reading.problem}; for example +4930123456.`)
    return reading.number
  },
}

export const lineNumber = readerOf('number', `It ${lineNumberRule}.`, lineNumberOf)

/** Text that the command itself checks: paths, and secrets, which no error may repeat. */
export const text = (placeholder: string): Reader<string> => ({ placeholder, read: given => given })

export const whole = (min: number, max: number) =>
  readerOf('n', `It must be a whole number from ${min} to ${max}.`, text => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : null
  })

export const month = readerOf('month', 'It must be a month, as in 2026-01.', text =>
  /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : null,
)

/** A whole number with the bounds of a field. */
export function wholeOf(field: TSchema) {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = field as { minimum?: number; maximum?: number }
  return whole(minimum, maximum)
}

/** One of some words, in any case. */
export const oneOf = <Word extends string>(placeholder: string, words: readonly Word[]): Reader<Word> => ({
  ...readerOf(
    placeholder,
    `It must be one of ${words.join(', ')}.`,
    text => words.find(word => word.toLowerCase() === text.toLowerCase()) ?? null,
  ),
  choices: words,
})

export const httpUrl = readerOf('url', 'It must be a URL that starts with https:// or http://.', text =>
  URL.canParse(text) && /^https?:\/\//i.test(text) ? text : null,
)

/** What a terminal can show; exports have other limits. */
const listMax = 1_000

/** How many a list shows unless it is told; of short rows, twice as many. */
export const listDefault = 50
export const shortRowsDefault = 2 * listDefault

/** Options that several commands take. */
export const limitOption = (fallback = listDefault, help = 'at most this many', max = listMax) =>
  withDefault(whole(1, max), fallback, help)
/** For commands that change one workspace: see `oneWorkspace`. */
export const oneWorkspaceOption = optional(
  idOf('workspace'),
  'the workspace, ws_…; may be left out where there is only one',
)
/** For lists over all workspaces: see `meantWorkspaces`. */
export const workspacesOption = optional(idOf('workspace'), 'only this workspace, ws_…')
export const roleOption = optional(
  oneOf('role', userRoles),
  'owner, admin, member or viewer; when absent, the first user of a workspace is its owner',
)
export const optionalChannel = optional(idOf('channel'), 'only this channel, chan_…')
