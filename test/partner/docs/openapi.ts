import type { TestGateway } from '../../gateway.ts'

/** The parts of an OpenAPI document that the tests look at. */
export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly description: string; readonly contact: unknown }
  readonly servers: unknown
  readonly security: readonly Record<string, unknown>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Pick<Operation, 'description' | 'requestBody'> }>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly in: string; readonly name: string }>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Response>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly schema?: Schema
  readonly example?: string
}

export interface Operation {
  readonly operationId: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>
}

export interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, unknown>>
  /** An answer without a body has none. */
  readonly content?: Readonly<Record<string, Media>>
}

interface Media {
  readonly schema: Schema
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: Record<string, unknown> }>>
}

export interface Schema {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, Schema>>
}

export const send = '/api/v1/public/messages/send'
export const status = 'get /api/v1/public/messages/{messageId}'
export const templates = '/api/v1/public/templates'
export const events = '/api/v1/public/events'
export const contact = '/api/v1/public/contacts/{contactId}'
export const inbound = '/api/v1/public/inbound'
export const inboundMessage = '/api/v1/public/inbound/{inboundId}'
export const inboundRead = '/api/v1/public/inbound/{inboundId}/read'
export const media = '/api/v1/public/media/{mediaId}'
export const uploads = '/api/v1/public/media'
export const contacts = 'get /api/v1/public/contacts'

export async function readDocument({ url }: TestGateway): Promise<OpenApi> {
  const response = await fetch(`${url}/docs/json`)
  return (await response.json()) as OpenApi
}

/** @param place a path with one operation, or `get /path`. @returns the operation */
export function operationAt(document: OpenApi, place: string): Operation {
  const [path = '', method] = place.split(' ').reverse()
  const methods = document.paths[path] ?? {}
  const [operation, ...others] = method === undefined ? Object.values(methods) : [methods[method]]
  if (!operation || others.length > 0) throw new Error(`${place} does not have exactly one operation`)
  return operation
}

/** @returns the answer of a status, looked up where it is a reference. */
export function answerAt(document: OpenApi, path: string, code: number): Response {
  const answer = operationAt(document, path).responses[code]
  const found = answer?.$ref ? document.components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer
  if (!found) throw new Error(`${path} has no answer ${code}`)
  return found
}

/** @returns the examples of an answer. */
export const examplesAt = (document: OpenApi, path: string, code: number) =>
  Object.values(answerAt(document, path, code).content?.['application/json']?.examples ?? {}).map(({ value }) => value)
