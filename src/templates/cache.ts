import type { TemplateComponent } from '../channel/wire.ts'
import { parseTemplate, type TemplateShape } from './shape.ts'

/** What is needed of a stored template; `components` is JSON text. */
export interface StoredTemplate {
  readonly id: string
  readonly upstreamId: string
  readonly name: string
  readonly language: string
  readonly category: string
  readonly status: string
  readonly parameterFormat: string
  readonly components: string
  readonly updatedAt: number
}

/** @returns the record as the upstream lists it, read back from its stored form. */
export const templateRecord = ({ upstreamId, parameterFormat, components, ...template }: StoredTemplate) => ({
  ...template,
  id: upstreamId,
  parameter_format: parameterFormat,
  components: JSON.parse(components) as TemplateComponent[],
})

/** An account has at most 6,000 templates; the ones in use are far fewer, and a shape is a few kilobytes. */
const shapesMax = 2_000

/** Keeps templates ready for rendering, so that a send does not parse what has not changed. */
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
