import { InvalidArgumentError } from 'commander'
import { userRoles } from '../../db/roles.ts'
import { lineNumberOf } from '../channels/lineNumber.ts'
import { isEmail } from '../text/email.ts'
import { readPhone } from '../text/phone.ts'

/** What is in the database, and a word of the command line may name. */
export type Listed = 'workspace' | 'channel' | 'line' | 'key' | 'contact' | 'message' | 'template' | 'user'

/** Turns a text of the command line into a value. `read` throws InvalidArgumentError with the broken rule. */
export interface Reader<Value> {
  readonly placeholder: string
  /** The option may be given several times, and its value is the list of them. */
  readonly isList?: boolean
  /** All possible texts, where these are few: for the help and for completion. */
  readonly choices?: readonly string[]
  /** What the text names: completion looks it up. */
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

export const argument = <Value>(reader: Reader<Value>, help: string): Input<Value> => ({
  kind: 'argument',
  help,
  isRequired: true,
  reader,
  fallback: undefined,
})

/** An argument in place of which an option may be given. */
export const optionalArgument = <Value>(reader: Reader<Value>, help: string): Input<Value | undefined> => ({
  kind: 'argument',
  help,
  isRequired: false,
  reader,
  fallback: undefined,
})

export const required = <Value>(reader: Reader<Value>, help: string): Input<Value> => ({
  kind: 'option',
  help,
  isRequired: true,
  reader,
  fallback: undefined,
})

export const optional = <Value>(reader: Reader<Value>, help: string): Input<Value | undefined> => ({
  kind: 'option',
  help,
  isRequired: false,
  reader,
  fallback: undefined,
})

export const withDefault = <Value>(reader: Reader<Value>, fallback: Value, help: string): Input<Value> => ({
  kind: 'option',
  help,
  isRequired: false,
  reader,
  fallback,
})

/** An option without a value: false unless it is given. */
export const toggle = (help: string): Input<boolean> => ({
  kind: 'option',
  help,
  isRequired: false,
  reader: null,
  fallback: false,
})

/** A name fits on a line of a list and a title of the console. */
const nameLengthMax = 120

/** Ids are part of addresses and error messages: plain characters only. Our ids and the upstream's match. */
const idForm = /^[A-Za-z0-9_-]{1,100}$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/

export const id: Reader<string> = {
  placeholder: 'id',
  read(text) {
    if (!idForm.test(text)) throw new InvalidArgumentError('It must be an id: letters, digits, _ and - only.')
    return text
  },
}

/** An id of ours. */
export const idOf = (of: Listed): Reader<string> => ({ ...id, of })

/** The upstream's ids of apps are decimal digits (docs/upstream.md#template-creation). */
const appIdForm = /^\d{5,20}$/

export const appId: Reader<string> = {
  placeholder: 'id',
  read(text) {
    if (!appIdForm.test(text)) throw new InvalidArgumentError('It must be the id of an app: digits only.')
    return text
  },
}

export const name: Reader<string> = {
  placeholder: 'name',
  read(text) {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.length > nameLengthMax || controlCharacters.test(trimmed)) {
      throw new InvalidArgumentError(`It must have 1 to ${nameLengthMax} printable characters.`)
    }
    return trimmed
  },
}

export const templateName: Reader<string> = { ...name, of: 'template' }

export const email: Reader<string> = {
  placeholder: 'email',
  read(text) {
    const address = text.trim()
    if (!isEmail(address)) {
      throw new InvalidArgumentError('It must be an email address, as in ada@example.com.')
    }
    return address
  },
}

export const phone: Reader<string> = {
  placeholder: 'number',
  read(text) {
    const reading = readPhone(text)
    if (!reading.ok) throw new InvalidArgumentError(`It ${reading.problem}; for example +4930123456.`)
    return reading.number
  },
}

export const lineNumber: Reader<string> = {
  placeholder: 'number',
  read(text) {
    const number = lineNumberOf(text)
    if (number === null) {
      throw new InvalidArgumentError('It must be a number with its country code, as in +4930123456.')
    }
    return number
  },
}

/** Text that the command itself checks: paths, and secrets, which no error may repeat. */
export const text = (placeholder: string): Reader<string> => ({ placeholder, read: given => given })

export const whole = (min: number, max: number): Reader<number> => ({
  placeholder: 'n',
  read(given) {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
    if (!(number >= min && number <= max)) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    }
    return number
  },
})

/** One of some words, in any case. */
export const oneOf = <Word extends string>(placeholder: string, words: readonly Word[]): Reader<Word> => ({
  placeholder,
  choices: words,
  read(given) {
    const word = words.find(word => word.toLowerCase() === given.toLowerCase())
    if (word === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`)
    return word
  },
})

const agoForm = /^(\d{1,6})(m|h|d)$/
const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
/** Without a zone, a time would mean another moment on another machine; a date alone is UTC. */
const instantForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

/** A moment: a date, a time with its zone, or how long ago. */
export const instant = (now: () => number): Reader<number> => ({
  placeholder: 'when',
  read(given) {
    const [, count, unit] = agoForm.exec(given) ?? []
    if (count !== undefined) return now() - Number(count) * unitMs[unit as keyof typeof unitMs]
    const at = instantForm.test(given) ? Date.parse(given) : Number.NaN
    if (Number.isNaN(at)) {
      throw new InvalidArgumentError(
        'It must be a date (2026-01-31), a time (2026-01-31T10:00Z), or how long ago (30m, 24h, 7d).',
      )
    }
    return at
  },
})

/** One line of text without control characters: foreign ids, and keys of callers. */
export const reference = (lengthMax: number): Reader<string> => ({
  placeholder: 'id',
  read(given) {
    if (given === '' || given.length > lengthMax || controlCharacters.test(given)) {
      throw new InvalidArgumentError(`It must have 1 to ${lengthMax} printable characters.`)
    }
    return given
  },
})

export const httpUrl: Reader<string> = {
  placeholder: 'url',
  read(given) {
    if (!URL.canParse(given) || !/^https?:\/\//i.test(given)) {
      throw new InvalidArgumentError('It must be a URL that starts with https:// or http://.')
    }
    return given
  },
}

/** As many as a terminal can show; exports have other limits. */
const listMax = 1_000

/** Options that several commands take. */
export const limitOption = (fallback: number, help = 'at most this many', max = listMax) =>
  withDefault(whole(1, max), fallback, help)
/** For what is made or changed in one workspace: see `oneWorkspace`. */
export const oneWorkspaceOption = optional(
  idOf('workspace'),
  'the workspace, ws_…; may be left out where there is only one',
)
/** For what is listed of all workspaces: see `meantWorkspaces`. */
export const workspacesOption = optional(idOf('workspace'), 'only this workspace, ws_…')
export const roleOption = optional(
  oneOf('role', userRoles),
  'owner, admin, member or viewer; when absent, the first user of a workspace is its owner',
)
export const optionalChannel = optional(idOf('channel'), 'only this channel, chan_…')
