import type { IncomingMessage, ServerResponse } from 'node:http'
import { TimerQueue } from '../callbacks/timerQueue.ts'
import { PROBLEMS } from '../checks/problems.ts'
import { type Refusal, refusalReply, type SandboxAnswer } from '../checks/refusals.ts'
import type { FaultPhase } from '../faults/faults.ts'
import { BOUNDS } from '../state/defaults.ts'
import { newTraceId } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { receiveMessage } from './receive.ts'
import { answered, half, isDone, type Reply, replyOf } from './reply.ts'

/** An application that answers requests: both are Elysia instances. */
interface App {
  handle(request: Request): Response | Promise<Response>
}

interface Apps {
  readonly graph: App
  readonly control: App
}

/** Some clients leave the version out. */
const graphPath = /^(?:\/v\d+\.\d+)?\/(?!sandbox(?:[/?]|$)|download\/)([^/?]+)(?:\/([^/?]+)(?:\/[^/?]+)?)?\/?(?:\?|$)/
const versioned = /^\/v\d+\.\d+\//
/** Between two bytes of a trickled answer: slow enough to see, and a send's answer ends within some seconds. */
const trickleGapMs = 20
/** Pending answers, delayed or never sent; more than any test holds open. */
const waitingMax = 10_000

/**
 * Handles the sockets: reads a request, checks the token, finds its fault, and writes, delays, cuts or withholds the
 * answer. Sends are handled without the framework, everything else with it.
 */
export function createListener(state: SandboxState, apps: Apps) {
  const timers = new TimerQueue(state.clock, waitingMax)

  async function answerOf(request: IncomingMessage, url: string, body: Buffer): Promise<Reply> {
    if (url === '/sandbox' || url.startsWith('/sandbox/') || url.startsWith('/sandbox?'))
      return answered(await forward(apps.control, request, url, body))
    const refusal = checkToken(state, request.headers.authorization || tokenIn(url))
    if (refusal) return answered(refusalReply(refusal, state.random))
    if (url.startsWith('/download/')) return answered(await forward(apps.graph, request, url, body))
    const [, id = '', edge] = graphPath.exec(url) ?? []
    if (id === '') return answered(refusalReply({ code: 2500, details: url }, state.random))
    if (edge === 'messages' && request.method === 'POST') {
      const line = state.lines.get(id)
      return line ? receiveMessage(state, line, body) : answered(refusalReply(PROBLEMS.unknownObject(id), state.random))
    }
    const fault = state.faults.strike(phaseOf(edge), id, undefined)
    const address = versioned.test(url) ? url : `/v0.0${url}`
    if (!fault) return answered(await forward(apps.graph, request, address, body))
    const isWork = isDone(fault.behaviour) || (fault.behaviour.answer ?? 'accept') === 'accept'
    const success = isWork
      ? await forward(apps.graph, request, address, body)
      : { status: 200, headers: {}, body: '{"success":true}' }
    return replyOf(fault.behaviour, success, state.random)
  }

  async function respond(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const reply = await answerOf(request, request.url ?? '/', body)
    if (reply.afterMs > 0) timers.add(reply.afterMs, () => write(reply, response))
    else write(reply, response)
  }

  function write(reply: Reply, response: ServerResponse): void {
    const { socket } = response
    if (socket?.destroyed) return
    if (!('answer' in reply)) {
      if (reply.kind === 'reset') socket?.destroy()
      return
    }
    const { answer } = reply
    const length = Buffer.byteLength(answer.body)
    response.writeHead(answer.status, {
      ...answer.headers,
      'content-length': length,
      'x-fb-request-id': newTraceId(state.random),
      'x-fb-trace-id': newTraceId(state.random),
    })
    if (reply.kind === 'answer') {
      response.end(answer.body)
      return
    }
    if (reply.kind === 'cut') {
      // Destroying at once could discard what is still in the socket's buffer: the reset must come after the bytes.
      response.write(half(answer), () => timers.add(0, () => response.socket?.destroy()))
      return
    }
    trickle(Buffer.from(answer.body), 0, response)
  }

  function trickle(bytes: Buffer, from: number, response: ServerResponse): void {
    if (from >= bytes.length) {
      response.end()
      return
    }
    response.write(bytes.subarray(from, from + 1))
    timers.add(trickleGapMs, () => trickle(bytes, from + 1, response))
  }

  return {
    /** Takes one request. Never throws; a failure of the stand-in itself is answered 500 with code 1. */
    receive(request: IncomingMessage, response: ServerResponse): void {
      const [, id = '', edge] = graphPath.exec(request.url ?? '') ?? []
      if (id !== '' && state.faults.strike(phaseOf(edge), id, undefined, true)) {
        request.socket.destroy()
        return
      }
      const chunks: Buffer[] = []
      let length = 0
      request.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > BOUNDS.requestBytes) request.socket.destroy()
        else chunks.push(chunk)
      })
      request.on('end', () => {
        const [first] = chunks
        const body = chunks.length === 1 && first ? first : Buffer.concat(chunks)
        respond(request, response, body).catch(() => {
          write(answered(refusalReply({ code: 1, status: 500 }, state.random)), response)
        })
      })
      // A caller that gives up in the middle is ignored.
      request.on('error', () => {})
      response.on('error', () => {})
    },
    stop(): void {
      timers.clear()
    },
  }
}

/** Some clients put the token into the query. */
function tokenIn(url: string): string | undefined {
  const token = URL.parse(url, 'http://localhost')?.searchParams.get('access_token')
  return token ? `Bearer ${token}` : undefined
}

function phaseOf(edge: string | undefined): FaultPhase {
  switch (edge) {
    case 'messages':
    case 'media':
    case 'phone_numbers':
    case 'subscribed_apps':
      return edge
    case 'message_templates':
      return 'templates'
    default:
      return 'other'
  }
}

function checkToken(state: SandboxState, authorization: string | undefined): Refusal | undefined {
  const [scheme, token] = authorization?.split(' ') ?? []
  if (!['bearer', 'oauth'].includes(scheme?.toLowerCase() ?? '') || !token) return { code: 104 }
  if (token !== state.accessToken) return { code: 190, title: 'Invalid OAuth access token - Cannot parse access token' }
  switch (state.token) {
    case 'valid':
      return undefined
    case 'expired':
      return { code: 190, subcode: 463, title: 'Error validating access token: Session has expired' }
    case 'invalidated':
      return { code: 190, subcode: 460, title: 'Error validating access token: The session has been invalidated' }
  }
}

/** Calls an application with a request. The origin is fixed, so that a hostile Host header cannot shift the path. */
async function forward(app: App, request: IncomingMessage, url: string, body: Buffer): Promise<SandboxAnswer> {
  const method = request.method ?? 'GET'
  const headers = new Headers()
  const { accept, 'content-type': contentType, file_offset: offset, host } = request.headers
  if (contentType !== undefined) headers.set('content-type', contentType)
  if (accept !== undefined) headers.set('accept', accept)
  if (host !== undefined) headers.set('host', host)
  if (typeof offset === 'string') headers.set('file_offset', offset)
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0
  const response = await app.handle(
    new Request(`http://localhost${url}`, { method, headers, ...(hasBody && { body: new Uint8Array(body) }) }),
  )
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  }
}
