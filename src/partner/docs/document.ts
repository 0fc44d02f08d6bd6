import pkg from '../../../package.json' with { type: 'json' }
import { isObject, type JsonObject } from '../../base/json.ts'
import type { OperationId } from '../../http/calls.ts'
import { partnerPrefix } from '../../http/calls.ts'
import { SchemaComponents } from './components.ts'
import { errorAnswers, operationErrors } from './errorAnswers.ts'
import { headers, onEveryAnswer, parameters, securitySchemes } from './headers.ts'
import { documentText } from './text.ts'
import { webhookOperations } from './webhooks.ts'

/** The short text for the viewer's page. The document has the long one. */
export const documentInfo = { title: 'Waypost', version: pkg.version, description: 'Partner messaging API' }

/**
 * Makes the API document from the plugin's list: only the partner operations, with named schemas, refusals, headers and
 * security. OpenAPI 3.1, because its schemas are JSON Schema, the same that validate.
 * @param path the one below which a proxy serves the gateway
 */
export function partnerDocument(listed: object, path: string): JsonObject {
  const schemas = new SchemaComponents()
  const responses: Record<string, unknown> = {}
  const { paths: listedPaths } = plain(listed)
  const paths: Record<string, unknown> = {}
  for (const [path, methods] of Object.entries(isObject(listedPaths) ? listedPaths : {})) {
    if (!path.startsWith(`${partnerPrefix}/`) || !isObject(methods)) continue
    paths[path] = Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        describe(operation as JsonObject, schemas, responses),
      ]),
    )
  }
  return {
    openapi: '3.1.0',
    info: {
      ...documentInfo,
      description: documentText,
      contact: { name: 'The operator of this gateway' },
      license: { name: pkg.license, identifier: pkg.license },
    },
    servers: [{ url: path || '/', description: 'This gateway' }],
    externalDocs: { description: 'Guides: cookbook, errors, operation', url: `${path}/docs/guides` },
    tags: [
      { name: 'Messages', description: 'Send messages and follow them.' },
      { name: 'Batches', description: 'Send many messages as one thing.' },
      { name: 'Events', description: 'Read what happened, and wait for it.' },
      { name: 'Inbound', description: 'Read what users send, and mark it as read.' },
      { name: 'Contacts', description: 'Whom you write with.' },
      { name: 'Templates', description: 'Discover what can be sent.' },
      { name: 'Webhooks', description: 'Where events are posted, for keys that may say it.' },
    ],
    security: [
      { apiKey: [], apiSecret: [] },
      { xApiKey: [], xApiSecret: [] },
    ],
    paths,
    webhooks: webhooksIn(schemas),
    components: { securitySchemes, parameters, headers, responses, schemas: schemas.all },
  }
}

const webhooksIn = (schemas: SchemaComponents) =>
  Object.fromEntries(
    Object.entries(webhookOperations).map(([type, { post }]) => [
      type,
      { post: { ...post, requestBody: placeContent(plain(post.requestBody), schemas) } },
    ]),
  )

/** Adds the common parts to an operation, and collects its named parts. */
function describe(operation: JsonObject, schemas: SchemaComponents, responses: Record<string, unknown>): JsonObject {
  const id = operationIdOf(operation)
  const answers: Record<string, unknown> = {}
  for (const [status, answer] of Object.entries(operation.responses as JsonObject)) {
    const { headers: own, ...rest } = answer as JsonObject
    const { headers } = withHeaders([])
    answers[status] = { headers: { ...headers, ...(isObject(own) && own) }, ...placeContent(rest, schemas) }
  }
  for (const { status, name, headers: extra, response } of errorAnswers(id)) {
    responses[name] = { ...withHeaders(extra), ...placeContent(plain(response), schemas) }
    answers[status] = { $ref: `#/components/responses/${name}` }
  }
  const { requestBody, parameters: own, ...rest } = operation
  return {
    ...rest,
    parameters: [
      ...(Array.isArray(own) ? own : []),
      ...Object.keys(parameters).map(name => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(isObject(requestBody) && { requestBody: placeContent(requestBody, schemas) }),
    responses: answers,
  }
}

function placeContent(holder: JsonObject, schemas: SchemaComponents): JsonObject {
  if (holder.content === undefined) return holder
  const content = Object.entries(holder.content as JsonObject).map(([type, media]) => {
    const { schema, ...rest } = media as { schema: JsonObject }
    return [type, { schema: schemas.place(schema), ...rest }]
  })
  return { ...holder, content: Object.fromEntries(content) }
}

const withHeaders = (extra: readonly string[]) => ({
  headers: Object.fromEntries(
    [...onEveryAnswer, ...extra].map(name => [name, { $ref: `#/components/headers/${name}` }]),
  ),
})

function operationIdOf({ operationId }: JsonObject): OperationId {
  const known = Object.keys(operationErrors).find(id => id === operationId)
  if (known === undefined) throw new Error(`the API document does not know the refusals of ${String(operationId)}`)
  return known as OperationId
}

/** @returns a copy that is plain JSON: schemas have hidden marks, and the plugin keeps its own objects. */
const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
