import type { TemplateRecord } from '../graph/wire.ts'
import { type StoredTemplate, templateRecord } from './record.ts'
import { readStructure, type TemplateStructure } from './structure.ts'
import { readVariables, type Variable } from './variables.ts'

/** A template made ready for rendering. It holds nothing of a send, so it can be kept while the record is unchanged. */
export interface TemplateShape extends TemplateStructure {
  /** Every key of `templateVariables` that means something to this template. */
  readonly variables: ReadonlyMap<string, Variable>
  /** The required ones outside the carousel. */
  readonly required: readonly Variable[]
  /** The required ones of each card, for cards that are given by keys alone. */
  readonly requiredByCard: readonly (readonly Variable[])[]
  /** For the message about a key that is not among them: "it takes 1, 2, copy_code". */
  readonly takes: string
}

/** Parses a record once; rendering from the result parses nothing. */
export function parseTemplate(template: TemplateRecord): TemplateShape {
  const structure = readStructure(template)
  const list = readVariables(structure)
  const variables = new Map<string, Variable>()
  // A placeholder with the name of a special key is read first and stays a placeholder.
  for (const variable of list) if (!variables.has(variable.key)) variables.set(variable.key, variable)
  const requiredOf = (card: number | null) =>
    list.filter(variable => variable.requiredBy !== null && variable.card === card)
  return {
    ...structure,
    variables,
    required: requiredOf(null),
    requiredByCard: structure.cards.map(card => requiredOf(card.index)),
    takes: takes([...variables.keys()]),
  }
}

/** "it takes 1, 2" or "it takes none". */
export function takes(keys: readonly string[]): string {
  return `it takes ${keys.length > 0 ? keys.join(', ') : 'none'}`
}

/**
 * Ours: an account has thousands of templates at most; the ones in use are far fewer, and a shape is a few kilobytes.
 */
const shapesMax = 2_000

/** Keeps parsed templates, so that a send does not parse an unchanged one again. */
export class TemplateCache {
  readonly #shapes = new Map<string, { updatedAt: number; shape: TemplateShape }>()

  shape(template: StoredTemplate): TemplateShape {
    const known = this.#shapes.get(template.id)
    if (known?.updatedAt === template.updatedAt) return known.shape
    const shape = parseTemplate(templateRecord(template))
    // Dropping everything is rare and costs one parse for each template that is still in use.
    if (this.#shapes.size >= shapesMax) this.#shapes.clear()
    this.#shapes.set(template.id, { updatedAt: template.updatedAt, shape })
    return shape
  }
}
