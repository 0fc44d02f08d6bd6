/** Header fields by name in lower case. */
export type HttpFields = Readonly<Record<string, string | undefined>>

/** RFC 9110 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** RFC 9110 5.5: the bytes of a value, as latin1. No control characters: a line break would begin another field. */
const notInValue = /[^\t\x20-\x7e\x80-\xff]/

export const isFieldName = (text: string): boolean => token.test(text)
export const isFieldValue = (text: string): boolean => !notInValue.test(text)

/** Collects the fields of a header section, line by line. */
export class FieldCollector {
  /** Without a prototype, as the names are the far end's choice. */
  readonly #fields: Record<string, string | undefined> = Object.create(null)
  #last = ''

  get fields(): HttpFields {
    return this.#fields
  }

  /**
   * A name that comes again has its values joined by a comma (RFC 9110 5.3).
   * @param line without its line break
   * @returns false when it is not a field
   */
  add(line: string): boolean {
    if (!isFieldValue(line)) return false
    // RFC 9112 5.2: a line that begins with a space continues the value before it.
    if (isSpace(line, 0)) {
      if (this.#last === '') return false
      this.#fields[this.#last] = `${this.#fields[this.#last]} ${withoutSpaces(line, 0)}`
      return true
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    // Also refuses a space before the colon, which has been read in two ways (RFC 9112 5.1).
    if (!isFieldName(name)) return false
    const value = withoutSpaces(line, colon + 1)
    const before = this.#fields[name]
    this.#fields[name] = before === undefined ? value : `${before}, ${value}`
    this.#last = name
    return true
  }
}

const isSpace = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code === 32 || code === 9
}

/** Not `trim`: that takes away characters of latin1 which belong to the value. */
function withoutSpaces(line: string, from: number): string {
  let start = from
  let end = line.length
  while (isSpace(line, start)) start += 1
  while (end > start && isSpace(line, end - 1)) end -= 1
  return line.slice(start, end)
}
