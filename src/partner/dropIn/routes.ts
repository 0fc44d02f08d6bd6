import { Elysia } from 'elysia'
import { isSameSecret } from '../../base/crypto.ts'
import {
  type DropInCall,
  type DropInName,
  dropInNames,
  dropInOperations,
  dropInPrefix,
} from '../../http/dropInCalls.ts'
import { UnderWay } from '../../http/underWay.ts'
import type { Endpoint, EndpointContext, Routed } from '../endpoint.ts'
import { graphAccounts } from './accounts.ts'
import { addressOf } from './address.ts'
import { callersToken } from './credentials.ts'
import { accountOf } from './lines.ts'
import { type GraphMediaParts, graphMedia } from './media.ts'
import { graphObjects, type ObjectParts } from './objects.ts'
import { type GraphSendParts, graphSend } from './send.ts'
import { graphSubscriptions, type SubscriptionParts } from './subscriptions.ts'
import { graphUploads, isUpload, type UploadParts } from './uploads.ts'
import type { PathContext, Work, Works } from './work.ts'

/** The versions whose calls are alike here. Clients write the version that they were made for, or none. */
const versionPattern = /^v(1[3-9]|2[0-6])\.0$/

/** Calls of the platform at once: each waits for its answer. */
const callsMax = { workspace: 10, all: 50 } as const

export interface DropInParts
  extends Omit<GraphSendParts, 'client'>,
    Omit<GraphMediaParts, 'calls' | 'client' | 'media' | 'read' | 'store'>,
    Pick<SubscriptionParts, 'webhooks'>,
    Pick<UploadParts, 'vault'> {
  readonly client: GraphSendParts['client'] & ObjectParts['client']
  readonly templateRefresher: GraphSendParts['templateRefresher'] & ObjectParts['templateRefresher']
}

type Handler = (context: Routed<PathContext>) => Promise<Response>

/** @returns method and path of a call, with `*` for an id */
const formOf = (call: DropInCall): string => call.replace(`${dropInPrefix}/`, '').replace(/:\w+/, '*')

/**
 * Answers the calls of the upstream platform that its clients make, so that one that can be told another address speaks
 * to this gateway (docs/drop-in.md). One route for all paths: no spelling of a path reaches a call without a key.
 * @param sendEndpoint reads what a send needs together with its key
 */
export function dropInRoutes(parts: DropInParts, endpoint: Endpoint, sendEndpoint: Endpoint) {
  const calls = new UnderWay(callsMax, 'Too many calls of the upstream platform are under way.')
  const passing = { ...parts, calls }
  const media = graphMedia(passing)
  const subscriptions = graphSubscriptions(parts)
  const works: Works<DropInName> = {
    send: graphSend(parts),
    ...media,
    ...graphAccounts(passing),
    ...subscriptions,
    ...graphUploads(passing),
    debugToken: graphDebugToken(parts),
    permissions: graphPermissions,
    ...graphObjects(passing, media, subscriptions),
  }
  const handlerOf = (name: DropInName): Handler =>
    (name === 'send' ? sendEndpoint : endpoint)(dropInOperations[name].call, works[name])
  const handlers: ReadonlyMap<string, Handler> = new Map(
    dropInNames.map(name => [formOf(dropInOperations[name].call), handlerOf(name)]),
  )
  const other = handlerOf('other')

  /** @returns whose call it is, with the id in its path */
  function route({ request, server }: Routed<EndpointContext>): Promise<Response> {
    const segments = addressOf(request).pathname.slice(dropInPrefix.length).split('/').filter(Boolean)
    const [id = '', ...rest] = versionPattern.test(segments[0] ?? '') ? segments.slice(1) : segments
    const named = handlers.get([`${request.method} ${id}`, ...rest].join('/'))
    const kind = isUpload(id) ? 'upload*' : '*'
    const handler = named ?? handlers.get([`${request.method} ${kind}`, ...rest].join('/')) ?? other
    return handler({ request, server, id, rest })
  }

  return new Elysia({ name: 'drop-in' }).all(`${dropInPrefix}/*`, ({ request, server }) => route({ request, server }), {
    parse: 'none',
    detail: { hide: true },
  })
}

/** What the platform says of a token that may do what its clients ask for. */
const tokenScopes = ['whatsapp_business_management', 'whatsapp_business_messaging']

/** `GET /debug_token?input_token=`: clients look whether their token is good. The app that it names is the account. */
const graphDebugToken =
  ({ links, read }: DropInParts): Work =>
  async (caller, { request }) => {
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
  }

/** `GET /me/permissions`: the same for a client that looks what its token may do. */
const graphPermissions: Work = async () => ({
  ...{ ok: true, status: 200 },
  body: { data: tokenScopes.map(permission => ({ permission, status: 'granted' })) },
})
