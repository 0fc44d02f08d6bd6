import { type RunningSandbox, SANDBOX, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'
import { ManualClock } from '../clock.ts'

export const lineId = SANDBOX.lines[0].upstreamPhoneId
export const otherLineId = SANDBOX.lines[1].upstreamPhoneId
export const user = '+16505551234'

/** A nested value read by path, for assertions on JSON of unknown shape. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Reflect.get(here, key)
  }
  return here
}

export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly json: unknown
  readonly text: string
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One turn of the event loop: sockets get their say, the clock stands still. */
export const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** What a receiver of callbacks got. */
export interface Posted {
  readonly text: string
  readonly json: unknown
  readonly signature: string | null
}

/** A receiver of callbacks on a real socket. */
export function startReceiver(
  answer: (request: Request, count: number) => Response | Promise<Response> = () => new Response('ok'),
) {
  const posted: Posted[] = []
  const waiters: ((post: Posted) => void)[] = []
  let read = 0
  let count = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method === 'GET') return answer(request, 0)
      const text = await request.text()
      const post = { text, json: parsed(text), signature: request.headers.get('x-hub-signature-256') }
      count += 1
      const response = answer(request, count)
      const waiter = waiters.shift()
      if (waiter) {
        read += 1
        waiter(post)
      }
      posted.push(post)
      return response
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/callbacks`,
    posted,
    /** The next POST that no earlier call has taken. */
    next(): Promise<Posted> {
      const ready = posted[read]
      if (!ready) return new Promise(resolve => waiters.push(resolve))
      read += 1
      return Promise.resolve(ready)
    },
    stop: () => server.stop(true),
  }
}

export type Receiver = ReturnType<typeof startReceiver>

/** A sandbox on a free port with a clock that stands still. */
export async function startRig(options: SandboxOptions = {}) {
  const clock = new ManualClock()
  const sandbox: RunningSandbox = await startSandbox({ clock, ...options })

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Got> {
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${SANDBOX.accessToken}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: parsed(text), text }
  }

  const post = (body: object, line: string = lineId) => call('POST', `/v25.0/${line}/messages`, body)
  const message = (content: object) => ({ messaging_product: 'whatsapp', to: user, ...content })

  return {
    sandbox,
    clock,
    call,
    /** Sends any message; `to` is the user unless the content says otherwise. */
    send: (content: object, line: string = lineId) => post(message(content), line),
    text: (content: object = {}, line: string = lineId) =>
      post(message({ type: 'text', text: { body: 'hi' }, ...content }), line),
    template: (template: object, line: string = lineId) => post(message({ type: 'template', template }), line),
    interactive: (interactive: object) => post(message({ type: 'interactive', interactive })),
    async upload(bytes: Uint8Array, type: string, line: string = lineId, name = 'file'): Promise<Got> {
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('type', type)
      form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
      const response = await fetch(`${sandbox.url}/v25.0/${line}/media`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SANDBOX.accessToken}` },
        body: form,
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, json: parsed(text), text }
    },
    stop: () => sandbox.stop(),
  }
}

export type Rig = Awaited<ReturnType<typeof startRig>>

export const errorCode = (got: Got): unknown => at(got.json, 'error', 'code')
export const errorDetails = (got: Got): unknown => at(got.json, 'error', 'error_data', 'details')
export const wamidOf = (got: Got): string => String(at(got.json, 'messages', 0, 'id'))
/** The statuses of one POST, whichever entry and change they are in. */
export function statusesOf(post: Posted): unknown[] {
  const entries = at(post.json, 'entry')
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry: unknown) => {
    const changes = at(entry, 'changes')
    return Array.isArray(changes)
      ? changes.flatMap((change: unknown) => {
          const list = at(change, 'value', 'statuses')
          return Array.isArray(list) ? list : []
        })
      : []
  })
}

export const png = Uint8Array.from(Buffer.from('\x89PNG\r\n\x1a\n and then pixels', 'latin1'))
export const mp4 = Uint8Array.from(Buffer.from('\0\0\0\x18ftypmp42', 'latin1'))
export const body = (...texts: string[]) => ({
  type: 'body',
  parameters: texts.map(text => ({ type: 'text', text })),
})
export const button = (subType: string, index: string, ...parameters: object[]) => ({
  type: 'button',
  sub_type: subType,
  index,
  parameters,
})
export const textParameter = (text: string) => ({ type: 'text', text })
