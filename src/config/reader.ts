import { type Cidr, parseCidr } from '../base/network.ts'
import { DatabaseUrl, DatabaseUrlError } from './databaseUrl.ts'
import { type SettingName, settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type SettingsReader = ReturnType<typeof settingsReader>

/** Behind a value it is a part of it (environmentFile.ts). */
const commentAdvice = ': a comment has a line of its own'

const bytesOf = { MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 } as const

/** Reads single settings. What is wrong with them is added to `problems`, and something of the right type returned. */
export function settingsReader(env: Environment) {
  const problems: string[] = []
  const bad = (name: SettingName, rule: string) =>
    problems.push(`${name} ${rule}${/\s[#;]/.test(env[name] ?? '') ? commentAdvice : ''}`)

  /** An empty value counts as not set: that is how a shell or a unit file says "none". */
  const text = (name: SettingName): string | null => env[name]?.trim() || null

  /** The setting, else its default, which must be a value then. */
  const withDefault = (name: SettingName): string => text(name) ?? settings[name][0]

  function whole(name: SettingName, min: number, max: number): number {
    const value = withDefault(name)
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    bad(name, `must be a whole number from ${min} to ${max}`)
    return min
  }

  /** For a setting whose default is not a number. */
  const wholeIfSet = (name: SettingName, min: number, max: number) =>
    text(name) === null ? null : whole(name, min, max)

  /** A number of bytes: `500 MB`, `5GB`, `1 TB`, or 0. */
  function size(name: SettingName): number {
    const [, number = '', unit = ''] = /^(\d{1,6}) ?(MB|GB|TB)$/i.exec(withDefault(name)) ?? []
    if (number !== '') return Number(number) * bytesOf[unit.toUpperCase() as keyof typeof bytesOf]
    if (withDefault(name) !== '0') bad(name, 'must be a size such as 500 MB, 5 GB or 1 TB, or 0')
    return 0
  }

  function word<Word extends string>(name: SettingName, words: readonly [Word, ...Word[]]): Word {
    const value = withDefault(name)
    const known = words.find(known => known === value)
    if (known === undefined) bad(name, `must be one of ${words.join(', ')}`)
    return known ?? words[0]
  }

  function url(name: SettingName, value = text(name)): string | null {
    if (value === null) return null
    const parsed = URL.parse(value)
    if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
      bad(name, 'must be a URL that starts with https:// or http://')
      return null
    }
    // Paths are appended to it, and no request sends a user name.
    const { username, password, origin, pathname, search, hash } = parsed
    if (username + password + search + hash !== '') bad(name, 'must have no user name, no query and no fragment')
    return (origin + pathname).replace(/\/+$/, '')
  }

  function databaseUrl(name: SettingName): DatabaseUrl | null {
    const value = text(name)
    if (value === null) return null
    try {
      return new DatabaseUrl(value)
    } catch (error) {
      if (!(error instanceof DatabaseUrlError)) throw error
      bad(name, error.message)
      return null
    }
  }

  function networks(name: SettingName): Cidr[] {
    const entries = (text(name) ?? '').split(/[\s,]+/).filter(entry => entry !== '')
    return entries.flatMap(entry => {
      const cidr = parseCidr(entry)
      if (!cidr) bad(name, `has an entry that is neither an address nor a CIDR: ${entry}`)
      return cidr ? [cidr] : []
    })
  }

  /** `name=value,name=value`; values may be percent-encoded. */
  function headers(name: SettingName): Record<string, string> {
    const pairs = (text(name) ?? '').split(',').filter(pair => pair.trim() !== '')
    const entries = pairs.map(pair => /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([\x20-\x7e]+?)\s*$/.exec(pair))
    // The values may be secrets: the message names none.
    if (entries.includes(null)) bad(name, 'must look like name=value,name=value')
    return Object.fromEntries(
      entries.filter(entry => entry !== null).map(([, key = '', value = '']) => [key, decoded(value)]),
    )
  }

  return { problems, bad, text, withDefault, whole, wholeIfSet, size, word, url, databaseUrl, networks, headers }
}

/** @returns the text as it is when it is not percent-encoded */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
