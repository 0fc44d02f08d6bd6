import type { DocumentDecoration } from 'elysia'
import type { TObject, TSchema } from '../../base/schema.ts'

/*
 * The descriptions of the routes in `detail`, made of the schemas that validate. The endpoints do their own validation,
 * so the plugin sees no schemas. document.ts adds what all operations share (headers, refusals). Elysia's types know
 * only OpenAPI 3.0; the document is 3.1, whose schemas are JSON Schema.
 */

export type Responses = NonNullable<DocumentDecoration['responses']>
type RequestBody = NonNullable<DocumentDecoration['requestBody']>
export type Parameters = NonNullable<DocumentDecoration['parameters']>

/** Named examples of one body. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>

/** Documents an answer. */
export const answer = (description: string, schema: TSchema, examples: Examples): Responses[string] =>
  ({ description, content: { 'application/json': { schema, examples } } }) as Responses[string]

/** Documents a JSON body, which is required. */
export const jsonBody = (schema: TSchema, examples: Examples): RequestBody =>
  ({ required: true, content: { 'application/json': { schema, examples } } }) as RequestBody

/** Documents the fields of a query. */
export const queryParameters = ({ properties, required }: TObject): Parameters =>
  Object.entries(properties as Record<string, TSchema & { description?: string }>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: (required as readonly string[] | undefined)?.includes(name) ?? false,
      description,
      schema,
    }),
  ) as Parameters
