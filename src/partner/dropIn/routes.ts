import { Elysia } from 'elysia'
import { isSameSecret } from '../../base/crypto.ts'
import { UnderWay } from '../../http/underWay.ts'
import { type DropInCall, dropInOperations } from '../calls.ts'
import type { Endpoint, EndpointContext, Routed } from '../endpoint.ts'
import { graphAccounts } from './accounts.ts'
import { addressOf } from './address.ts'
import { callersToken } from './credentials.ts'
import { accountOf } from './lines.ts'
import { contentEdge, type GraphMediaParts, graphMedia } from './media.ts'
import { graphObjects, type ObjectParts, type PathContext } from './objects.ts'
import { type GraphSendParts, graphSend, type NamedContext } from './send.ts'
import { graphSubscriptions, type SubscriptionParts } from './subscriptions.ts'

/** The beginning of every path of the drop-in API (docs/drop-in.md). */
export const dropInPrefix = '/graph'

/** The versions whose calls are alike here. Clients write the version that they were made for, or none. */
const versionPattern = /^v(1[3-9]|2[0-6])\.0$/

/** Calls of the platform at once: each waits for its answer. */
const callsMax = { workspace: 10, all: 50 } as const

export interface DropInParts
  extends Omit<GraphSendParts, 'client'>,
    Omit<GraphMediaParts, 'calls' | 'client' | 'media' | 'read' | 'store'>,
    Pick<SubscriptionParts, 'webhooks'> {
  readonly client: GraphSendParts['client'] & ObjectParts['client']
  readonly templateRefresher: GraphSendParts['templateRefresher'] & ObjectParts['templateRefresher']
}

type Handler = (context: Routed<PathContext>) => Promise<Response>

/**
 * Answers the calls of the upstream platform that its clients make, so that one that can be told another address speaks
 * to this gateway (docs/drop-in.md). One route for all paths: no spelling of a path reaches a call without a key.
 * @param sendEndpoint reads what a send needs together with its key
 */
export function dropInRoutes(parts: DropInParts, endpoint: Endpoint, sendEndpoint: Endpoint) {
  const calls = new UnderWay(callsMax, 'Too many calls of the upstream platform are under way.')
  const passing = { ...parts, calls }
  const accounts = graphAccounts(passing, endpoint)
  const subscriptions = graphSubscriptions(parts, endpoint)
  const media = graphMedia(passing, endpoint)
  const objects = graphObjects(passing, media, subscriptions, endpoint)
  const ofToken = new Map([
    ['debug_token', graphDebugToken(parts, endpoint)],
    ['me/permissions', graphPermissions(endpoint)],
  ])

  const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    ['POST messages', graphSend(parts, sendEndpoint)],
    ['POST media', media.upload],
    ['GET message_templates', accounts.listTemplates],
    ['POST message_templates', accounts.createTemplate],
    ['DELETE message_templates', accounts.deleteTemplate],
    ['GET phone_numbers', accounts.listNumbers],
    ['GET whatsapp_business_profile', accounts.readProfile],
    ['GET block_users', accounts.listBlocked],
    ['POST block_users', accounts.block],
    ['DELETE block_users', accounts.unblock],
    ['GET subscribed_apps', subscriptions.list],
    ['POST subscribed_apps', subscriptions.add],
    ['DELETE subscribed_apps', subscriptions.remove],
    [`GET ${contentEdge}`, media.fetch],
    ['GET', objects.read],
    ['POST', objects.change],
    ['DELETE', objects.remove],
  ])

  /** @returns whose call it is, with the id in its path */
  function route({ request, server }: Routed<EndpointContext>): Promise<Response> {
    const segments = addressOf(request).pathname.slice(dropInPrefix.length).split('/').filter(Boolean)
    const [id = '', ...rest] = versionPattern.test(segments[0] ?? '') ? segments.slice(1) : segments
    const context = { request, server, id, rest }
    const aboutToken = request.method === 'GET' ? ofToken.get([id, ...rest].join('/')) : undefined
    if (aboutToken) return aboutToken(context)
    const known = rest.length > 1 ? undefined : handlers.get([request.method, ...rest].join(' '))
    return (known ?? objects.other)(context)
  }

  return new Elysia({ name: 'drop-in' }).all(`${dropInPrefix}/*`, ({ request, server }) => route({ request, server }), {
    parse: 'none',
    detail: { hide: true },
  })
}

/** What the platform says of a token that may do what its clients ask for. */
const tokenScopes = ['whatsapp_business_management', 'whatsapp_business_messaging']

/** `GET /debug_token?input_token=`: clients look whether their token is good. The app that it names is the account. */
const graphDebugToken = ({ links, read }: DropInParts, endpoint: Endpoint): Handler => {
  const call: DropInCall = dropInOperations.debugToken.call
  return endpoint<NamedContext>(call, async (caller, { request }) => {
    const asked = addressOf(request).searchParams.get('input_token') ?? ''
    const isOwn = isSameSecret(asked, callersToken(links, request))
    const account = await accountOf(read, caller)
    const data = {
      app_id: account?.accountId ?? '0',
      application: 'Waypost',
      type: 'SYSTEM_USER',
      is_valid: isOwn,
      // Never, as far as a client has to know: a key that ends is answered 401 with code 190.
      expires_at: 0,
      scopes: isOwn ? tokenScopes : [],
    }
    return { ok: true, status: 200, body: { data } }
  })
}

/** `GET /me/permissions`: the same for a client that looks what its token may do. */
const graphPermissions = (endpoint: Endpoint): Handler =>
  endpoint<NamedContext>(dropInOperations.permissions.call, async () => ({
    ...{ ok: true, status: 200 },
    body: { data: tokenScopes.map(permission => ({ permission, status: 'granted' })) },
  }))
