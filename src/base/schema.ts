import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { Issue } from './errors.ts'
import { issuesMax } from './issues.ts'
import { issuesOf } from './issueWords.ts'
import { isObject, type JsonObject } from './json.ts'

export { type Static, type TObject, type TProperties, type TSchema, Type }

// The default reports only eight problems. A caller gets all of them in one answer.
Settings.Set({ maxErrors: issuesMax })

/** An object with these fields and no others. */
export const closed = <Fields extends TProperties>(
  fields: Fields,
  options: { title?: string; description?: string; minProperties?: number } = {},
) => Type.Object(fields, { additionalProperties: false, ...options })

/** Such an object with its name in the API document, and what it is. */
export const described = <Fields extends TProperties>(title: string, description: string, fields: Fields) =>
  closed(fields, { title, description })

export const orNull = <Schema extends TSchema>(schema: Schema, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: Issue[] }
export type Checker<T> = (input: unknown) => Checked<T>

/**
 * Compiles a schema once, for its first value: a gateway checks with few of its schemas, and a start with none. The
 * check reports every problem with a JSON Pointer and never shows the value itself.
 */
export function check<S extends TSchema>(schema: S, from: 'json' | 'text' = 'json'): Checker<Static<S>> {
  let made: ReturnType<typeof Compile<S>> | undefined
  return input => {
    made ??= Compile(schema)
    const compiled = made
    const value = from === 'text' && !compiled.Check(input) ? fromText(input, given => compiled.Convert(given)) : input
    if (compiled.Check(value)) return { ok: true, value: value as Static<S> }
    return { ok: false, issues: issuesOf(compiled.Errors(value)) }
  }
}

const wholeNumber = /^-?\d+$/

/** TypeBox reads a whole number from any that begins with one, `1.5` too: such a text stays, and is refused. */
function fromText(input: unknown, convert: (given: unknown) => unknown): unknown {
  // It changes the object that it is given.
  const converted = convert(isObject(input) ? { ...input } : input)
  if (!isObject(input) || !isObject(converted)) return converted
  const isCut = (name: string) => Number.isInteger(converted[name]) && !wholeNumber.test(String(input[name]))
  return Object.fromEntries(Object.entries(converted).map(([name, value]) => [name, isCut(name) ? input[name] : value]))
}

/** A schema that Elysia validates with: the router knows its type, and so does the console's client. */
export type Wire<S extends TSchema> = S & {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'typebox'
    readonly validate: (input: unknown) => WireOutcome<Static<S>>
    readonly types?: { readonly input: Static<S>; readonly output: Static<S> }
  }
}
type WireOutcome<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly path: readonly string[]; readonly message: string }[] }

/**
 * Elysia cannot take our schemas as they are, but it takes every Standard Schema. The mark is not enumerable: the API
 * document still prints a plain JSON Schema.
 * @param from `text` for queries: numbers and booleans are read from their text
 */
export function wire<S extends TSchema>(schema: S, from: 'json' | 'text' = 'json'): Wire<S> {
  const checked = check(schema, from)
  const validate = (input: unknown): WireOutcome<Static<S>> => {
    const result = checked(from === 'json' ? withoutNulls(schema, input) : asWritten(input as object))
    if (result.ok) return { value: result.value }
    // In one segment: Elysia joins the segments of a path with dots.
    return { issues: result.issues.map(({ path, message }) => ({ path: [path], message })) }
  }
  const standard = { version: 1, vendor: 'typebox', validate }
  return Object.defineProperty({ ...schema }, '~standard', { value: standard, enumerable: false }) as Wire<S>
}

/** Of a text with commas, and of one that is repeated, Elysia makes a list for every Standard Schema. */
const asWritten = (query: object) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  )

/**
 * Counts, from the outside in, what each map and list holds, before any entry is looked at. Names of fields and
 * elements are matched one by one, and each wrong one is a problem to write: a map with thousands would cost
 * milliseconds.
 * @returns a problem for each map or list that holds more than its schema lets it; what is inside of one is not counted
 */
export function tooManyEntries(schema: TSchema, value: unknown, path = ''): Issue[] {
  const { properties, additionalProperties, items, maxItems, maxProperties } = schema as JsonObject
  if (Array.isArray(value)) {
    if (typeof maxItems !== 'number') return []
    if (value.length > maxItems) return [{ path, message: `must not have more than ${maxItems} elements` }]
    return isObject(items) ? value.flatMap((element, at) => tooManyEntries(items, element, `${path}/${at}`)) : []
  }
  if (!isObject(value)) return []
  const known = isObject(properties) ? properties : {}
  const unknownMax = additionalProperties === false ? Object.keys(known).length + issuesMax : Number.POSITIVE_INFINITY
  const fieldsMax = typeof maxProperties === 'number' ? maxProperties : unknownMax
  const names = Object.keys(value)
  if (names.length > fieldsMax) return [{ path, message: `must not have more than ${fieldsMax} fields` }]
  // The names of the value, which are a few: a schema has dozens.
  return names.flatMap(name =>
    Object.hasOwn(known, name) ? tooManyEntries(known[name] as TSchema, value[name], `${path}/${name}`) : [],
  )
}

/** The same as `check`, for a value that may have thousands of fields: they are counted first. */
export function checkCounted<S extends TSchema>(schema: S): Checker<Static<S>> {
  const checked = check(schema)
  return input => {
    const tooMany = tooManyEntries(schema, input)
    return tooMany.length > 0 ? { ok: false, issues: tooMany } : checked(input)
  }
}

/**
 * Leaves out optional fields that are null, also in nested objects and lists. Unknown fields stay, so that they are
 * refused. An object that allows further fields stays unchanged, because it is forwarded.
 * @returns the value itself when there is nothing to leave out
 */
export function withoutNulls(schema: TSchema, value: unknown): unknown {
  const { properties, additionalProperties, required, items } = schema as JsonObject
  if (Array.isArray(value)) return isObject(items) ? mapped(value, element => withoutNulls(items, element)) : value
  if (!isObject(value) || !isObject(properties) || additionalProperties !== false) return value
  const mustHave = Array.isArray(required) ? required : []
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) continue
    const given = value[name]
    const kept =
      given === null && !mustHave.includes(name) ? undefined : withoutNulls(properties[name] as TSchema, given)
    if (kept === given) continue
    changed ??= { ...value }
    if (kept === undefined) delete changed[name]
    else changed[name] = kept
  }
  return changed ?? value
}

/** @returns the list itself when no element changes */
function mapped(list: readonly unknown[], change: (element: unknown) => unknown): readonly unknown[] {
  const next = list.map(change)
  return next.every((element, at) => element === list[at]) ? list : next
}
