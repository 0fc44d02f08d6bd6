import type { Refusal } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { type KeyScope, passScope } from '../../base/keyScopes.ts'
import { readJson } from '../../http/body.ts'
import { hasScope, lacking } from '../../http/scopes.ts'
import type { TemplateRefresher } from '../../templates/refresh.ts'
import type { PartnerCaller } from '../caller.ts'
import { type DropInCall, dropInOperations } from '../calls.ts'
import type { Endpoint, Outcome } from '../endpoint.ts'
import { refuseQuery } from './address.ts'
import { accountNamed, lineNamed } from './lines.ts'
import type { GraphMedia, NamedFile } from './media.ts'
import { type Asked, type PassingParts, pass } from './passing.ts'
import { missing, no } from './refusals.ts'
import type { NamedContext } from './send.ts'
import type { GraphSubscriptions } from './subscriptions.ts'

export interface ObjectParts extends PassingParts {
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
}

/** A path below `/graph`, without the version. */
export interface PathContext extends NamedContext {
  /** What follows the id. */
  readonly rest: readonly string[]
}

/** What an id names that is the caller's. */
type Named = Owner | { readonly kind: 'file'; readonly file: NamedFile }
interface Owner {
  readonly kind: 'line' | 'account' | 'template'
  readonly channelId: string
}

/** What a call of an id alone needs, beside `graph`. Of lines and accounts, all else is passed on (`passScope`). */
const scopes: Readonly<Record<string, KeyScope>> = {
  'GET line': 'messages:send',
  'GET template': 'templates:read',
  'POST template': 'templates:write',
  'GET file': 'media',
  'DELETE file': 'media',
} satisfies Partial<Record<`${'GET' | 'POST' | 'DELETE'} ${Named['kind']}`, KeyScope>>

/** What a key needs one of to do anything with an id alone. */
const scopesOf = (method: string): readonly KeyScope[] => [
  ...Object.entries(scopes).flatMap(([call, scope]) => (call.startsWith(`${method} `) ? [scope] : [])),
  ...(method === 'POST' ? ['webhooks' as const] : []),
  passScope,
]

/** An edge of the platform is written so; what comes in other letters may be one that is answered here. */
const edgePattern = /^[a-z][a-z0-9_]*$/
/** The name of an object below an edge, as the code of a QR code. */
const namePattern = /^[A-Za-z0-9_-]{1,100}$/
const methods: readonly string[] = ['GET', 'POST', 'DELETE']

/** Sends go the way of all sends, and callbacks come to this gateway. */
const reservedEdges: ReadonlyMap<string, string> = new Map([
  ['messages', 'A message is sent by POST /{line}/messages alone.'],
  ['marketing_messages', 'A message is sent by POST /{line}/messages alone.'],
  ['media', 'A file is uploaded by POST /{line}/media alone.'],
  ['subscribed_apps', 'Callbacks of the platform come to this gateway. Their own address is set by POST alone.'],
])

/** The key may not, as if it lacked the scope. */
const aboutAllLines: Refusal = {
  reason: 'FORBIDDEN',
  message: 'The call is about all lines of the account, and the API key is limited to some.',
  details: { scope: passScope },
}

/** Calls of an id alone, and those that nothing else answers, which the platform does (docs/drop-in.md#passing-on). */
export function graphObjects(
  parts: ObjectParts,
  files: GraphMedia,
  subscriptions: Pick<GraphSubscriptions, 'configure'>,
  endpoint: Endpoint,
) {
  async function ownerNamed(caller: PartnerCaller, id: string): Promise<Owner | null> {
    const line = await lineNamed(caller, id)
    if (line) return { kind: 'line', channelId: line.channelId }
    const account = await accountNamed(parts.read, caller, id)
    return account && { kind: 'account', channelId: account.id }
  }

  async function named(asked: Asked, id: string): Promise<Named | null> {
    const { caller, request } = asked
    const owner = await ownerNamed(caller, id)
    if (owner) return owner
    const { method } = request
    const file = scopes[`${method} file`] && (await files.named(asked, id))
    if (file) return { kind: 'file', file }
    if (!scopes[`${method} template`]) return null
    const template = await caller.read.templateListed({ workspaceId: caller.workspaceId, upstreamId: id })
    return template ? { kind: 'template', channelId: template.channelId } : null
  }

  /** Passes on what only a key with the scope for it may. */
  async function passOther(asked: Asked, owner: Owner, path: string): Promise<Outcome> {
    const { caller } = asked
    if (!hasScope(caller.scopes, passScope)) return no(lacking(passScope))
    if (owner.kind === 'account' && caller.lineIds !== null) return no(aboutAllLines)
    return pass(parts, asked, { channelId: owner.channelId, path, of: 'other' })
  }

  /** @returns null: the call is not about where the callbacks of the line go, which is told to this gateway */
  async function configured({ caller, request }: Asked, id: string): Promise<Outcome | null> {
    const line = request.method === 'POST' ? await lineNamed(caller, id) : null
    if (!line) return null
    const body = await caller.body(async whole =>
      whole.body === null ? null : readJson(whole.clone() as Request, parts.clock),
    )
    if (!isObject(body) || !Object.hasOwn(body, 'webhook_configuration')) return null
    if (!hasScope(caller.scopes, 'webhooks')) return no(lacking('webhooks'))
    refuseQuery(request)
    return subscriptions.configure(caller, line.id, body)
  }

  const byId = (call: DropInCall) =>
    endpoint<NamedContext>(call, async (caller, context) => {
      const { request, id } = context
      const asked = { caller, request }
      // Before anything is looked for.
      const [needed = passScope, ...others] = scopesOf(request.method)
      if (![needed, ...others].some(scope => hasScope(caller.scopes, scope))) return no(lacking(needed))
      const object = (await configured(asked, id)) ?? (await named(asked, id))
      if (!object) return missing
      if ('ok' in object) return object
      const scope = scopes[`${request.method} ${object.kind}`] ?? passScope
      if (!hasScope(caller.scopes, scope)) return no(lacking(scope))
      if (object.kind === 'file')
        return request.method === 'GET' ? files.describe(context, object.file) : files.remove(asked, id, object.file)
      if (scope === passScope || object.kind === 'account') return passOther(asked, object, id)
      const outcome = await pass(parts, asked, { channelId: object.channelId, path: id, of: object.kind })
      // What was changed can soon be sent.
      if (outcome.ok && request.method === 'POST') parts.templateRefresher.request(object.channelId)
      return outcome
    })

  return {
    read: byId(dropInOperations.readObject.call),
    change: byId(dropInOperations.changeObject.call),
    remove: byId(dropInOperations.deleteObject.call),

    other: endpoint<PathContext>(dropInOperations.other.call, async (caller, { request, id, rest }) => {
      const [edge = '', name, ...more] = rest
      const owner = await ownerNamed(caller, id)
      const isName = name === undefined || (owner?.kind === 'line' && namePattern.test(name))
      const isPath = edgePattern.test(edge) && isName && more.length === 0
      if (!owner || !isPath || !methods.includes(request.method)) return missing
      const way = reservedEdges.get(edge)
      if (way !== undefined) return no({ reason: 'VALIDATION_ERROR', message: way })
      return passOther({ caller, request }, owner, [id, ...rest].join('/'))
    }),
  }
}
