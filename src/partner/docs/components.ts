import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../base/json.ts'
import { mapKeyPattern } from '../../operations/sends/sendSchema.ts'

/** Of maps of any keys, ours and TypeBox's own. */
const keyPatterns = [mapKeyPattern, '^.*$']

/**
 * Collects the schemas of a document that have a `title` as its components, and replaces them by references. The
 * schemas still validate the same. Only the spelling changes to what OpenAPI readers expect: a union with a constant
 * `type` becomes `oneOf` with a discriminator, a map becomes `additionalProperties`. Readers that do not know
 * `patternProperties` would show a map as an object without fields.
 */
export class SchemaComponents {
  readonly #byTitle = new Map<string, JsonObject>()

  /** @returns the schema as the document shows it: a reference when it has a title */
  place(schema: JsonObject): JsonObject {
    const { title } = schema
    const shown = this.#spell(schema)
    if (typeof title !== 'string') return shown
    const known = this.#byTitle.get(title)
    if (known && !isDeepStrictEqual(known, shown)) throw new Error(`two schemas are called ${title}`)
    this.#byTitle.set(title, shown)
    return reference(title)
  }

  /** @returns the gathered schemas, by name */
  get all(): JsonObject {
    return Object.fromEntries([...this.#byTitle].sort(([one], [other]) => one.localeCompare(other)))
  }

  #spell(schema: JsonObject): JsonObject {
    const shown: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties' && isObject(value)) shown.properties = this.#placeEach(value)
      else if (keyword === 'anyOf' && Array.isArray(value)) Object.assign(shown, this.#union(value))
      else if (keyword === 'patternProperties' && isObject(value)) {
        const [[pattern, inMap] = [], ...others] = Object.entries(value)
        if (!isObject(inMap) || !keyPatterns.includes(pattern ?? '') || others.length > 0)
          throw new Error('only maps of any keys can be shown')
        shown.additionalProperties = this.place(inMap)
      } else if (keyword === 'additionalProperties' && 'patternProperties' in schema) continue
      else if ((keyword === 'items' || keyword === 'additionalProperties') && isObject(value))
        shown[keyword] = this.place(value)
      else shown[keyword] = value
    }
    return shown
  }

  #union(branches: readonly JsonObject[]): JsonObject {
    const placed = branches.map(branch => this.place(branch))
    const words = branches.map(branch => constantType(branch))
    if (!words.every(word => word !== null)) return { anyOf: placed }
    const mapping = Object.fromEntries(words.map((word, at) => [word, placed[at]?.$ref]))
    return { oneOf: placed, discriminator: { propertyName: 'type', mapping } }
  }

  #placeEach(schemas: JsonObject): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, isObject(schema) ? this.place(schema) : schema]),
    )
  }
}

const reference = (title: string) => ({ $ref: `#/components/schemas/${title}` })

/** @returns the constant of a named schema's `type` field; null when there is none. */
function constantType({ title, properties }: JsonObject): string | null {
  const type = isObject(properties) ? properties.type : undefined
  return typeof title === 'string' && isObject(type) && typeof type.const === 'string' ? type.const : null
}
