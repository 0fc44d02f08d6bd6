import type { DocumentDecoration } from 'elysia'
import type { TSchema } from '../../schema.ts'

export type Responses = NonNullable<DocumentDecoration['responses']>

/** Named examples of one body. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>

/**
 * Documents an answer with the very schema that checks it. The plugin, left to itself, drops parts of a response's
 * schema, so each route lists its answers in `detail` as well; what every answer has (headers, refusals) is added to
 * all operations in one place.
 */
export const answer = (description: string, schema: TSchema, examples: Examples): Responses[string] =>
  // Elysia's types know OpenAPI 3.0 only; the document is 3.1, whose schemas are JSON Schema.
  ({ description, content: { 'application/json': { schema, examples } } }) as Responses[string]
