import { isLongerThan } from '../base/chars.ts'
import type { Issue } from '../base/errors.ts'
import { isObject, type JsonObject } from '../base/json.ts'

/**
 * Reads untrusted JSON field by field and collects every problem with its pointer; never shows a value. Limits count
 * Unicode characters, which a schema's `maxLength` does not promise to, and an absent part never hides the others.
 */
export class Reader {
  readonly issues: Issue[] = []

  note(path: string, message: string): void {
    this.issues.push({ path, message })
  }

  /** A required object. */
  object(value: unknown, path: string): JsonObject | undefined {
    if (isObject(value)) return value
    this.note(path, value === undefined ? 'is required' : 'must be an object')
    return undefined
  }

  /**
   * A required list of `min` to `max` elements. Of a longer one so many are walked too, so that what is wrong with them
   * is told at once; a list without an end costs no more.
   */
  list(value: unknown, path: string, min: number, max: number): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.note(path, value === undefined ? 'is required' : 'must be an array')
      return []
    }
    if (value.length < min || value.length > max) this.note(path, `must have ${min} to ${max} elements`)
    return value.slice(0, max)
  }

  /** A required text of 1 to `charsMax` characters. */
  text(value: unknown, path: string, charsMax = Number.POSITIVE_INFINITY): string | undefined {
    if (typeof value !== 'string') {
      this.note(path, value === undefined ? 'is required' : 'must be a string')
      return undefined
    }
    // The upstream treats white space alone as empty.
    if (value.trim() === '') this.note(path, 'must not be empty')
    if (isLongerThan(value, charsMax)) this.note(path, `must be at most ${charsMax} characters long`)
    return value
  }

  optionalText(value: unknown, path: string, charsMax?: number): string | undefined {
    return value === undefined ? undefined : this.text(value, path, charsMax)
  }

  /** A required text, one of a few. */
  oneOf<T extends string>(value: unknown, path: string, known: readonly T[]): T | undefined {
    const match = known.find(word => word === value)
    if (match === undefined) this.note(path, value === undefined ? 'is required' : `must be ${known.join(' or ')}`)
    return match
  }

  /** A required whole number. */
  whole(value: unknown, path: string, min: number, max: number): number | undefined {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    this.note(path, value === undefined ? 'is required' : `must be a whole number from ${min} to ${max}`)
    return undefined
  }

  optionalWhole(value: unknown, path: string, min: number, max: number): number | undefined {
    return value === undefined ? undefined : this.whole(value, path, min, max)
  }

  /** Notes a text that an earlier element had; `seen` goes from element to element. */
  unique(value: string | undefined, path: string, seen: Map<string, string>): void {
    if (value === undefined) return
    const earlier = seen.get(value)
    if (earlier !== undefined) this.note(path, `must be unique; ${earlier} is the same`)
    else seen.set(value, path)
  }
}
