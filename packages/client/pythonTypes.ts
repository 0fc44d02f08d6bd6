import { isObject, type JsonObject } from '../../src/base/json.ts'

/** What the client takes and answers: the types of these schemas, and of all that they hold, are written. */
const roots = [
  'Message',
  'Event',
  'InboundMessage',
  'ReadMark',
  'Contact',
  'Template',
  'SendBody',
  'UploadedMedia',
  'Line',
  'MessageCheck',
]

/** The parameters of these paths, as keyword arguments. What is `own` are arguments that the client writes itself. */
const filters = {
  MessageFilter: { path: '/messages', own: ['after', 'limit'] },
  EventFilter: { path: '/events', own: ['after', 'limit', 'type', 'wait'] },
  InboundFilter: { path: '/inbound', own: ['after', 'limit'] },
  ContactFilter: { path: '/contacts', own: [] },
} as const

/**
 * Only values come. The type has all fields that a send may leave out: mypy --strict spreads nothing else into one.
 */
const spread = { ExampleValues: 'TemplateSend' } as const

const lineCharsMax = 120
const indent = '    '

interface ApiDocument {
  readonly components: { readonly schemas: JsonObject }
  readonly paths: JsonObject
}

/** @returns the text of `waypost/types.py`. @throws Error for what the types of Python 3.9 cannot say */
export function pythonTypes({ components: { schemas }, paths }: ApiDocument): string {
  /** By name, in the order in which they are met. */
  const written = new Map<string, string>()
  const unions: string[] = []
  for (const root of roots) typeOf({ $ref: root }, '')
  for (const [name, { path, own }] of Object.entries(filters)) write(name, filterOf(path, own))
  unions.push(`# What happened; a gateway that is newer may have others.\nEventType = ${typeOf(eventTypes(), '')}\n`)
  const text = [...written.values(), ...unions].join('\n\n')
  return `"""What is sent and answered. \`bun run client:types\` writes this file from the gateway's API document."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


${text}`

  /** @param path the name of a class for an object that has no name */
  function typeOf(schema: JsonObject, path: string): string {
    if (typeof schema.$ref === 'string') return typeNamed(schema.$ref.split('/').at(-1) ?? '')
    const { const: constant, enum: words, items, additionalProperties: inMap } = schema
    if (constant !== undefined || words !== undefined) return literal(Array.isArray(words) ? words : [constant])
    const branches = branchesOf(schema)
    if (branches.length > 0) {
      const values = branches.filter(({ type }) => type !== 'null')
      const constants = values.map(branch => branch.const)
      const types = constants.every(value => value !== undefined)
        ? [literal(constants)]
        : [...new Set(values.map(branch => typeOf(branch, path)))]
      const type = types.length === 1 ? `${types[0]}` : `Union[${types.join(', ')}]`
      return values.length < branches.length ? `Optional[${type}]` : type
    }
    switch (schema.type) {
      case 'string':
        return 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'array':
        return `List[${isObject(items) ? typeOf(items, path) : 'Any'}]`
      case 'object':
        if (isObject(inMap)) return `Dict[str, ${typeOf(inMap, path)}]`
        // A typed dictionary has no further fields.
        if (inMap === true) return 'Dict[str, Any]'
        write(`_${path}`, schema)
        return `_${path}`
      default:
        throw new Error(`${path}: Python has no type for ${JSON.stringify(schema)}`)
    }
  }

  function typeNamed(name: string): string {
    if (name in spread) {
      const of = spread[name as keyof typeof spread]
      return optionalPart(typeNamed(of))
    }
    const schema = schemas[name]
    if (!isObject(schema)) throw new Error(`the API document has no schema ${name}`)
    if (schema.additionalProperties === true) return 'Dict[str, Any]'
    const branches = branchesOf(schema)
    if (branches.length === 0) write(name, schema)
    else if (!unions.some(union => union.includes(`${name} = `)))
      unions.push(`${comment(schema)}${name} = ${typeOf({ oneOf: branches }, name)}\n`)
    return name
  }

  function eventTypes(): JsonObject {
    const { discriminator } = isObject(schemas.Event) ? schemas.Event : {}
    if (!isObject(discriminator) || !isObject(discriminator.mapping)) throw new Error('Event: its types are not named')
    return { enum: Object.keys(discriminator.mapping) }
  }

  /** @returns an object of the parameters in the address of a `GET`, with their names as Python writes them */
  function filterOf(path: string, own: readonly string[]): JsonObject {
    const { get } = paths[`/api/v1/public${path}`] as { get: { parameters: readonly JsonObject[] } }
    const parameters = get.parameters.filter(({ in: place, name }) => place === 'query' && !own.includes(`${name}`))
    const fields = parameters.map(({ name, schema, description }) => [
      `${name}`.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      { ...(isObject(schema) && schema), description },
    ])
    const description = `What narrows \`GET ${path}\`${fields.length === 0 ? ' further: nothing so far' : ''}.`
    return { type: 'object', description, properties: Object.fromEntries(fields) }
  }

  /** Python 3.9 cannot say of a single field that it may be missing: such fields are in a class of their own. */
  function write(name: string, schema: JsonObject): void {
    if (written.has(name)) return
    written.set(name, '')
    const fields = Object.entries(isObject(schema.properties) ? schema.properties : {})
    const required = Array.isArray(schema.required) ? schema.required : []
    const linesOf = (isRequired: boolean) =>
      fields
        .filter(([field]) => required.includes(field) === isRequired)
        .map(([field, of]) => {
          if (!/^[A-Za-z]\w*$/.test(field) || !isObject(of)) throw new Error(`${name}: Python has no field ${field}`)
          const type = typeOf(of, `${name.replace(/^_/, '')}${field.charAt(0).toUpperCase()}${field.slice(1)}`)
          return `${indent}${field}: ${type}\n${docstring(of, indent)}`
        })
    const [optional, must] = [linesOf(false), linesOf(true)]
    const about = docstring(schema, indent)
    const classOf = (of: string, base: string, lines: readonly string[]) =>
      `class ${of}(${base}):\n${[of === name ? about : '', lines.join('')].filter(text => text !== '').join('\n')}`
    const parts =
      must.length === 0
        ? [classOf(name, 'TypedDict, total=False', optional)]
        : optional.length === 0
          ? [classOf(name, 'TypedDict', must)]
          : [classOf(optionalPart(name), 'TypedDict, total=False', optional), classOf(name, optionalPart(name), must)]
    // What it holds stands before it.
    written.delete(name)
    written.set(name, parts.join('\n\n'))
  }
}

const optionalPart = (name: string) => `_${name.replace(/^_/, '')}Optional`

const branchesOf = ({ anyOf, oneOf }: JsonObject): readonly JsonObject[] =>
  [anyOf, oneOf].flatMap(branches => (Array.isArray(branches) ? (branches as JsonObject[]) : []))

const literal = (values: readonly unknown[]) => `Literal[${values.map(constantOf).join(', ')}]`

const constantOf = (value: unknown) =>
  value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value)

const docstring = (schema: JsonObject, before: string) =>
  typeof schema.description === 'string'
    ? `${wrapped(`"""${schema.description.replaceAll('\\', '\\\\')}"""`, before)}\n`
    : ''

const comment = ({ description }: JsonObject) =>
  typeof description === 'string' ? `${wrapped(description, '# ')}\n` : ''

/** @returns the words in lines that each begin with `before` */
function wrapped(text: string, before: string): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= lineCharsMax) lines[lines.length - 1] = longer
    else lines.push(before + word)
  }
  return lines.join('\n')
}
