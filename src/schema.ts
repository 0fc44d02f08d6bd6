import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { Issue } from './errors.ts'

export { type Static, type TProperties, type TSchema, Type }

// The default reports only eight problems; a caller gets them all in one answer, up to this bound.
const issuesMax = 100
Settings.Set({ maxErrors: issuesMax })

export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: Issue[] }
export type Check<T> = (input: unknown) => Checked<T>

/** Compiles a schema once. The check reports every problem with a JSON Pointer and never shows the value itself. */
export function check<S extends TSchema>(schema: S, from: 'json' | 'text' = 'json'): Check<Static<S>> {
  const compiled = Compile(schema)
  return input => {
    const value = from === 'text' && !compiled.Check(input) ? compiled.Convert(input) : input
    if (compiled.Check(value)) return { ok: true, value: value as Static<S> }
    return {
      ok: false,
      issues: compiled.Errors(value).flatMap(error => {
        if (error.keyword === 'required')
          return error.params.requiredProperties.map(name => ({
            path: `${error.instancePath}/${name}`,
            message: 'is required',
          }))
        if (error.keyword === 'boolean') return [{ path: error.instancePath, message: 'is not a known field' }]
        if (error.keyword === 'enum')
          return [{ path: error.instancePath, message: `must be one of ${error.params.allowedValues.join(', ')}` }]
        // The 'boolean' errors already name each unknown field.
        if (error.keyword === 'additionalProperties') return []
        return [{ path: error.instancePath, message: error.message }]
      }),
    }
  }
}

/** A schema that Elysia validates with: plain JSON Schema for the document, a Standard Schema for the router. */
export type Wire<S extends TSchema, T = Static<S>> = S & {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'typebox'
    readonly validate: (input: unknown) => { value: T } | { issues: { path: string[]; message: string }[] }
    readonly types?: { readonly input: T; readonly output: T }
  }
}

/**
 * Attaches a check to the schema that documents it.
 * The check is not enumerable: Elysia finds it, and the document, which spreads the object, prints plain JSON Schema.
 * An issue's pointer is given as a single path segment, so that it arrives whole in Elysia's ValidationError.
 */
export function wire<S extends TSchema, T = Static<S>>(schema: S, checked: Check<T>): Wire<S, T> {
  const validate = (input: unknown) => {
    const result = checked(input)
    return result.ok
      ? { value: result.value }
      : { issues: result.issues.map(({ path, message }) => ({ path: [path], message })) }
  }
  Object.defineProperty(schema, '~standard', { enumerable: false, value: { version: 1, vendor: 'typebox', validate } })
  return schema as Wire<S, T>
}
