import type { AnyElysia } from 'elysia'
import type { RefusalAnswer } from '../../src/http/answers.ts'
import { toGatewayError } from '../../src/http/errors.ts'

type Handler = (context: {
  readonly request: Request
  readonly server: null
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}) => Response | Promise<Response>

interface Route {
  readonly method: string
  readonly parts: readonly string[]
  readonly handler: Handler
}

const partsOf = (path: string) => path.split('/').filter(part => part !== '')

/**
 * The routes of a gateway, found by their paths. Elysia's own router writes and compiles a program for each process,
 * which takes as long as a short history: what is asked here is what stands behind it.
 */
export class Door {
  readonly #routes: readonly Route[]
  readonly #answerRefusal: RefusalAnswer

  constructor(apps: readonly AnyElysia[], answerRefusal: RefusalAnswer) {
    this.#answerRefusal = answerRefusal
    this.#routes = apps.flatMap(app =>
      app.routes.map(({ method, path, handler }) => ({
        ...{ method, parts: partsOf(path) },
        // Each route here takes its context alone, and answers for itself.
        handler: handler as Handler,
      })),
    )
  }

  async handle(request: Request): Promise<Response> {
    const parts = partsOf(new URL(request.url).pathname)
    const route = this.#routes.find(
      ({ method, parts: own }) =>
        (method === request.method || method === 'ALL') &&
        (own.length === parts.length || own.at(-1) === '*') &&
        own.every((part, at) => part.startsWith(':') || part === '*' || part === parts[at]),
    )
    if (!route) return new Response('', { status: 404 })
    const params = Object.fromEntries(
      route.parts.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), parts[at] ?? '']] : [])),
    )
    try {
      return await route.handler({ request, server: null, params, query: {} })
    } catch (error) {
      return this.#answerRefusal(toGatewayError(error), {})
    }
  }
}
