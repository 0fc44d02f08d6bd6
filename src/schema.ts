import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { type Issue, issuesMax } from './errors.ts'

export { type Static, type TObject, type TProperties, type TSchema, Type }

// The default reports only eight problems; a caller gets them all in one answer.
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
