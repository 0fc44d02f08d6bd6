import { type StoredTemplate, templateRecord } from './record.ts'
import { parseTemplate, type TemplateShape } from './shape.ts'

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
