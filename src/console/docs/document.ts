import { type AnyElysia, Elysia } from 'elysia'
import pkg from '../../../package.json' with { type: 'json' }
import { CONSOLE_ERRORS, PARTNER_ERRORS, type Reason } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { Type } from '../../base/schema.ts'
import { type Access, accessField } from '../guard.ts'

/** One route of the router, as far as its description needs it. */
interface Route {
  readonly method: string
  readonly path: string
  readonly hooks: { readonly detail?: JsonObject; readonly [part: string]: unknown }
}

const description = `
What the console's page asks. These routes are **no part of the partner API** and may change with any version.

Sign in at \`/api/v1/auth/login\`, and send \`Authorization: Bearer\` with the access token of its answer. A token lasts
ten minutes; \`/api/v1/auth/refresh\` gives the next one for the cookie of the sign-in. API keys open none of these
routes.

A workspace of others and one that does not exist are both 404; too low a role is 403. Errors have the form of the
partner API: \`{ "error", "message", "details" }\`.
`.trim()

const errorSchema = Type.Object(
  { error: Type.String(), message: Type.String(), details: Type.Optional(Type.Object({})) },
  { title: 'Error' },
)

const roleSentence: Readonly<Record<Access, string>> = {
  open: 'For anybody.',
  signedIn: 'For any user who is signed in.',
  viewer: 'For members of the workspace with any role.',
  member: 'For members of the workspace with the role `member` or a higher one.',
  admin: 'For members of the workspace with the role `admin` or `owner`.',
  owner: 'For owners of the workspace.',
}

/** @returns the OpenAPI document of the internal routes, made from the schemas that they check with */
function internalDocument({ routes }: AnyElysia): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes as readonly Route[]) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, path) }
  }
  return plain({
    openapi: '3.1.0',
    info: {
      title: 'Waypost: internal routes',
      version: pkg.version,
      description,
      contact: { name: 'The operator of this gateway' },
      license: { name: pkg.license, identifier: pkg.license },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: [...new Set(routes.map(({ path }) => tagOf(path)))].map(name => ({ name })),
    paths,
    components: { securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  })
}

function operationOf({ method, path: pattern, hooks }: Route, path: string) {
  const { summary = path, description: text, [accessField]: access } = hooks.detail ?? {}
  const body = schemaOf(hooks.body)
  const query = schemaOf(hooks.query)
  const name = path.replaceAll(/[^A-Za-z]+(\w?)/g, (_, next: string) => next.toUpperCase())
  return {
    operationId: `${method.toLowerCase()}${name}`,
    summary,
    description: [text, roleSentence[access as Access]].filter(Boolean).join('\n\n'),
    tags: [tagOf(pattern)],
    security: access === 'open' ? [] : [{ accessToken: [] }],
    parameters: [...pathParameters(pattern), ...queryParameters(query)],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: {
        description: 'Done.',
        ...(schemaOf(hooks.response) && { content: { 'application/json': { schema: schemaOf(hooks.response) } } }),
      },
      ...refusals(access as Access, body !== null || query !== null),
    },
  }
}

/**
 * `/workspaces/:workspaceId/members/:userId` is about members, `/workspaces` about workspaces, `/auth/…` about signing
 * in.
 */
const tagOf = (path: string) => /^\/api\/v1\/(?:workspaces\/[^/]+\/)?([^/]+)/.exec(path)?.[1] ?? 'auth'

const pathParameters = (pattern: string) =>
  [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function queryParameters(query: JsonObject | null) {
  const properties = isObject(query?.properties) ? query.properties : {}
  const required = Array.isArray(query?.required) ? query.required : []
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

/** A route's own schemas: a response may be listed by its status. */
function schemaOf(part: unknown): JsonObject | null {
  if (!isObject(part)) return null
  return isObject(part[200]) ? part[200] : part
}

function refusals(access: Access, isChecked: boolean) {
  const reasons: Reason[] = [
    ...(isChecked ? (['VALIDATION_ERROR'] as const) : []),
    'UNAUTHORIZED',
    'FORBIDDEN',
    ...(access === 'open' || access === 'signedIn' ? [] : (['NOT_FOUND'] as const)),
  ]
  const errors = { ...PARTNER_ERRORS, ...CONSOLE_ERRORS }
  return Object.fromEntries(
    reasons.map(reason => [
      errors[reason].status[0],
      {
        description: `\`${reason}\`: ${errors[reason].meaning}`,
        content: { 'application/json': { schema: errorSchema } },
      },
    ]),
  )
}

/** Schemas have hidden marks. */
const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

export const internalDocumentPath = '/docs/internal/json'

/** The API document of the internal routes, a section of its own in the viewer at `/docs`. */
export function internalDocumentRoute(console: AnyElysia) {
  // The routes do not change.
  let document: JsonObject | undefined
  return new Elysia({ name: 'console-docs' }).get(
    internalDocumentPath,
    () => {
      document ??= internalDocument(console)
      return document
    },
    { detail: { hide: true } },
  )
}
