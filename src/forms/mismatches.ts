import { charCount, isLongerThan } from '../base/chars.ts'
import { field, isObject, isText, type JsonObject, list } from '../base/json.ts'
import type { ChoiceForm, Fields, Form, ListForm, ObjectForm, TextForm, WholeForm } from './form.ts'

/** The names and places that lead to a value. */
export type Path = readonly (string | number)[]

/** What does not fit a form, and where. An address and a file are told in any case: who asks judges them. */
export type Mismatch = { readonly path: Path; readonly value: unknown } & Rule

type Rule =
  | { readonly rule: 'missing' | 'noObject'; readonly form: Form }
  | { readonly rule: 'data' | 'differs' | 'emoji' | 'empty' | 'misplaced' | 'noList' | 'noText' | 'none' | 'unsure' }
  | { readonly rule: 'address' }
  | { readonly rule: 'breaks' | 'firstMax' | 'long'; readonly max: number }
  | { readonly rule: 'few' | 'many' | 'whole'; readonly min: number; readonly max: number }
  | { readonly rule: 'either'; readonly names: readonly string[] }
  | { readonly rule: 'file'; readonly kind: string }
  | { readonly rule: 'inAll'; readonly max: number; readonly what: string }
  | { readonly rule: 'twice'; readonly earlier: Path }
  | { readonly rule: 'word'; readonly of: readonly string[]; readonly open: boolean }

/**
 * Compares what is sent with its form, in the order of the fields. Of a list that is too long so many elements are
 * compared as it may have: all that is wrong with them is told at once, and a list without an end costs no more.
 */
export function mismatchesIn(fields: Fields, sent: JsonObject): Mismatch[] {
  const comparison = new Comparison()
  comparison.fields(fields, sent, [], 1)
  return comparison.mismatches
}

/**
 * Pictures, with or without the sign that colours them; flags; keycaps. Digits and `#` count as emoji in Unicode's
 * widest sense, © ® ™ as pictures, and all of these are ordinary text.
 */
const emoji = /\p{Emoji_Presentation}|(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u

class Comparison {
  readonly mismatches: Mismatch[] = []
  /** What elements of a list had before, by the names that lead there. */
  readonly #earlier = new Map<string, Map<unknown, Path>>()

  /** @param siblings elements of the list in which the object stands, itself included */
  fields(fields: Fields, holder: JsonObject, path: Path, siblings: number): void {
    for (const [name, form] of Object.entries(fields)) {
      const value = holder[name]
      const other = form.is === 'text' ? form.or : undefined
      if (other !== undefined && (value === undefined) === (holder[other] === undefined))
        this.#note(path, holder, { rule: 'either', names: [name, other] })
      const isOptional = form.optional === true || (form.optional === 'alone' && siblings === 1)
      if (value !== undefined || !isOptional) this.#value(form, value, [...path, name], siblings)
    }
  }

  #note(path: Path, value: unknown, rule: Rule): void {
    this.mismatches.push({ ...rule, path, value })
  }

  #value(form: Form, value: unknown, path: Path, siblings: number): void {
    if (form.is === 'file') this.#note(path, value, { rule: 'file', kind: form.kind })
    else if (value === undefined) this.#note(path, value, { rule: 'missing', form })
    else if (form.is === 'text') this.#text(form, value, path)
    else if (form.is === 'whole') this.#whole(form, value, path, siblings)
    else if (form.is === 'list') this.#list(form, value, path)
    else if (form.is === 'word') {
      if (!form.of.some(word => word === value))
        this.#note(path, value, { rule: 'word', of: form.of, open: form.open === true })
    } else if (form.is === 'none') {
      this.#note(path, value, { rule: form.unsure ? 'unsure' : 'none' })
      if (form.unsure) this.#value(form.unsure, value, path, siblings)
    } else if (form.is === 'data') {
      if (!isObject(value) || Object.keys(value).length === 0) this.#note(path, value, { rule: 'data' })
    } else if (!isObject(value)) this.#note(path, value, { rule: 'noObject', form })
    else if (form.is === 'object') this.#object(form, value, path, siblings)
    else this.#choice(form, value, path, siblings)
  }

  #object({ fields, instead }: ObjectForm, value: JsonObject, path: Path, siblings: number): void {
    const isOther = instead !== undefined && value[instead.name] !== undefined
    this.fields(isOther ? { [instead.name]: instead.form } : fields, value, path, siblings)
  }

  #text(form: TextForm, value: unknown, path: Path): void {
    if (!isText(value)) {
      this.#note(path, value, { rule: 'noText' })
      return
    }
    if (value === '' && form.mayBeEmpty) return
    const { charsMax, breaksMax } = form
    // The upstream treats white space alone as empty.
    if (value.trim() === '') this.#note(path, value, { rule: 'empty' })
    if (charsMax !== undefined && isLongerThan(value, charsMax))
      this.#note(path, value, { rule: 'long', max: charsMax })
    if (breaksMax !== undefined && charCount(value.replace(/[^\n]/g, '')) > breaksMax)
      this.#note(path, value, { rule: 'breaks', max: breaksMax })
    if (form.noEmoji && emoji.test(value)) this.#note(path, value, { rule: 'emoji' })
    if (form.isAddress && value !== '') this.#note(path, value, { rule: 'address' })
    if (form.unique) this.#unique(value, path)
  }

  #whole(form: WholeForm, value: unknown, path: Path, siblings: number): void {
    const { min } = form
    const max = form.max === 'last' ? siblings - 1 : form.max
    if (!Number.isInteger(value) || Number(value) < min || Number(value) > max)
      this.#note(path, value, { rule: 'whole', min, max })
    else if (form.unique) this.#unique(value, path)
  }

  #choice(form: ChoiceForm, value: JsonObject, path: Path, siblings: number): void {
    const { type } = value
    this.fields(form.before ?? {}, value, path, siblings)
    this.#value({ is: 'word', of: Object.keys(form.of) }, type, [...path, 'type'], siblings)
    const taken = isText(type) && Object.hasOwn(form.of, type) ? type : form.otherwise
    if (taken !== undefined) this.fields(form.of[taken] ?? {}, value, path, siblings)
  }

  #list(form: ListForm, value: unknown, path: Path): void {
    if (!Array.isArray(value)) {
      this.#note(path, value, { rule: 'noList' })
      return
    }
    const { first, inAll, min } = form
    const isFirst = (element: unknown) => first !== undefined && field(element, 'type') === first.type
    const firstCount = value.filter(isFirst).length
    const max = first && firstCount > 0 ? first.listMax : form.max
    if (value.length < min) this.#note(path, value, { rule: 'few', min, max })
    if (value.length > max) this.#note(path, value, { rule: 'many', min, max })
    if (first && firstCount > first.max) this.#note(path, value, { rule: 'firstMax', max: first.max })
    const elements: readonly unknown[] = value.slice(0, max)
    this.#same(form, elements, path)
    for (const [at, element] of elements.entries()) {
      const here = [...path, at]
      if (isFirst(element) && at >= firstCount) this.#note(here, element, { rule: 'misplaced' })
      this.#value(form.of, element, here, elements.length)
    }
    if (!inAll) return
    const counts = elements.map(element => Math.min(list(field(element, inAll.of)).length, inAll.max))
    if (counts.reduce((sum, count) => sum + count, 0) > inAll.max)
      this.#note(path, value, { rule: 'inAll', max: inAll.max, what: inAll.what })
  }

  #unique(value: unknown, path: Path): void {
    const seen = this.#seenAt(path)
    const earlier = seen.get(value)
    if (earlier) this.#note(path, value, { rule: 'twice', earlier })
    else seen.set(value, path)
  }

  /** Of elements that differ in several ways, the first one is told. */
  #same({ same = [] }: ListForm, elements: readonly unknown[], path: Path): void {
    const names = same.find(each => new Set(elements.map(element => valueAt(element, each))).size > 1)
    if (!names) return
    const values = elements.map(element => valueAt(element, names))
    const shared = values.find(value => value !== undefined)
    for (const [at, value] of values.entries())
      if (value !== shared) this.#note([...path, at, ...names], value, { rule: 'differs' })
  }

  #seenAt(path: Path): Map<unknown, Path> {
    const names = path.filter(isText).join('.')
    const seen = this.#earlier.get(names) ?? new Map<unknown, Path>()
    this.#earlier.set(names, seen)
    return seen
  }
}

/** @returns the value there; of a list, how many it has */
function valueAt(value: unknown, names: readonly string[]): unknown {
  const found = names.reduce(field, value)
  return Array.isArray(found) ? found.length : found
}
