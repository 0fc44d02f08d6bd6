import type { TLocalizedValidationError } from 'typebox/error'
import type { Issue } from './errors.ts'

const typeWords: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}
const formatWords: Readonly<Record<string, string>> = {
  'date-time': 'a time with its zone, such as 2026-03-01T09:30:00Z',
  date: 'a date, such as 2026-03-01',
  email: 'an e-mail address',
  uri: 'a whole web address',
}

type Found = TLocalizedValidationError

/**
 * Tells in our words what a schema does not allow, each problem once. Of a value that may also be null, what is wrong
 * with the value is told alone.
 */
export function issuesOf(errors: readonly Found[]): Issue[] {
  const unions = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath))
  const inner = [...unions].filter(path =>
    errors.some(
      error => error.instancePath.startsWith(`${path}/`) || (error.instancePath === path && !isOfType(error)),
    ),
  )
  const told = errors.filter(({ keyword }) => keyword !== 'anyOf')
  const issues = told.flatMap(error => {
    const { instancePath: path } = error
    if (!unions.has(path) || !isOfType(error)) return issuesIn(error)
    if (inner.includes(path)) return []
    const types = told.filter(other => other.instancePath === path && isOfType(other)).map(typeOf)
    return [{ path, message: `must be ${[...new Set(types)].join(' or ')}` }]
  })
  return issues.filter(
    ({ path, message }, at) => issues.findIndex(other => other.path === path && other.message === message) === at,
  )
}

const isOfType = ({ keyword }: Found) => keyword === 'type' || keyword === 'anyOf'

const typeOf = (error: Found): string => {
  const types = error.keyword === 'type' ? [error.params.type].flat() : []
  return types.map(type => typeWords[type] ?? type).join(' or ')
}

export const unknownField = 'is not a known field'

function issuesIn(error: Found): Issue[] {
  const { instancePath: path } = error
  if (error.keyword === 'required')
    return error.params.requiredProperties.map(name => ({ path: `${path}/${name}`, message: 'is required' }))
  // The 'boolean' errors already name each unknown field.
  if (error.keyword === 'additionalProperties') return []
  return [{ path, message: messageOf(error) }]
}

function messageOf(error: Found): string {
  switch (error.keyword) {
    case 'boolean':
      return unknownField
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`
    case 'type':
      return `must be ${typeOf(error)}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'format':
      return `must be ${formatWords[error.params.format] ?? `of the form ${error.params.format}`}`
    case 'pattern':
      return `must have the form ${String(error.params.pattern)}`
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`
    case 'minItems':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} elements`
    case 'maxItems':
      return `must not have more than ${error.params.limit} elements`
    case 'minProperties':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} fields`
    case 'maxProperties':
      return `must not have more than ${error.params.limit} fields`
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    default:
      return error.message
  }
}
