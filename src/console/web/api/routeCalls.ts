import type { Treaty } from '@elysiajs/eden'
import type { ConsoleApi } from '../../routes.ts'

type Ask = (path: string, init: RequestInit) => Promise<Response>
type Routes = Treaty.Create<ConsoleApi>['api']['v1']

interface Options {
  readonly query?: Readonly<Record<string, unknown>>
  readonly fetch?: RequestInit
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/**
 * The internal routes as Eden types them. Its own script would bring files, streams and sockets along, which are no
 * part of them: 3 kB.
 */
export const callsBy = (ask: Ask): Routes => below('/api/v1', ask) as Routes

/** A name is the next part of the path, an object gives the value of one, and the name of a method makes the call. */
const below = (path: string, ask: Ask): unknown =>
  new Proxy(() => undefined, {
    get: (_, name) => below(`${path}/${String(name)}`, ask),
    apply: (_target, _this, [first, second]: unknown[]) => {
      const at = path.lastIndexOf('/')
      const method = path.slice(at + 1)
      if (!methods.includes(method)) return below(`${path}/${Object.values(first as object)[0]}`, ask)
      const [body, options] = method === 'get' ? [undefined, first] : [first, second]
      return call(ask, method, path.slice(0, at), body, options as Options | undefined)
    },
  })

async function call(ask: Ask, method: string, path: string, body: unknown, { query = {}, fetch }: Options = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  const json = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    const answer = await ask(search === '' ? path : `${path}?${search}`, {
      method: method.toUpperCase(),
      ...json,
      ...fetch,
    })
    return { data: await answer.json(), error: null }
  } catch (value) {
    return { data: null, error: { value } }
  }
}
