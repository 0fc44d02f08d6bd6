import type { Refusal } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { type KeyScope, passScope } from '../../base/keyScopes.ts'
import { readJsonIfAny } from '../../http/body.ts'
import { type DropInOperation, dropInOperations } from '../../http/dropInCalls.ts'
import { hasScope, lacking } from '../../http/scopes.ts'
import type { TemplateRefresher } from '../../templates/refresh.ts'
import type { PartnerCaller } from '../caller.ts'
import type { Outcome } from '../endpoint.ts'
import { refuseQuery } from './address.ts'
import { accountNamed, lineNamed } from './lines.ts'
import type { GraphMedia, NamedFile } from './media.ts'
import { type Asked, type PassingParts, pass } from './passing.ts'
import { missing, no } from './refusals.ts'
import type { GraphSubscriptions } from './subscriptions.ts'
import type { Work } from './work.ts'

export interface ObjectParts extends PassingParts {
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
}

type Scopes = NonNullable<DropInOperation['of']>

/** What an id names that is the caller's. */
type Named = Owner | { readonly kind: 'file'; readonly file: NamedFile }
interface Owner {
  readonly kind: 'line' | 'account' | 'template'
  readonly channelId: string
}

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
) {
  async function ownerNamed(caller: PartnerCaller, id: string): Promise<Owner | null> {
    const line = await lineNamed(caller, id)
    if (line) return { kind: 'line', channelId: line.channelId }
    const account = await accountNamed(parts.read, caller, id)
    return account && { kind: 'account', channelId: account.id }
  }

  async function named(asked: Asked, id: string, of: Scopes): Promise<Named | null> {
    const { caller } = asked
    const owner = await ownerNamed(caller, id)
    if (owner) return owner
    const file = of.file && (await files.named(asked, id))
    if (file) return { kind: 'file', file }
    if (!of.template) return null
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
  async function configured({ caller, request }: Asked, id: string, scope: KeyScope): Promise<Outcome | null> {
    const line = await lineNamed(caller, id)
    if (!line) return null
    const body = await caller.body(whole => readJsonIfAny(whole.clone() as Request, parts.clock))
    if (!isObject(body) || !Object.hasOwn(body, 'webhook_configuration')) return null
    if (!hasScope(caller.scopes, scope)) return no(lacking(scope))
    refuseQuery(request)
    return subscriptions.configure(caller, line.id, body)
  }

  const byId =
    ({ of }: { readonly of: Scopes }): Work =>
    async (caller, context) => {
      const { request, id } = context
      const asked = { caller, request }
      // Before anything is looked for.
      const [needed = passScope, ...others] = [...Object.values(of), passScope]
      if (![needed, ...others].some(scope => hasScope(caller.scopes, scope))) return no(lacking(needed))
      const object = (of.callbacks && (await configured(asked, id, of.callbacks))) ?? (await named(asked, id, of))
      if (!object) return missing
      if ('ok' in object) return object
      const scope = (object.kind === 'account' ? undefined : of[object.kind]) ?? passScope
      if (!hasScope(caller.scopes, scope)) return no(lacking(scope))
      if (object.kind === 'file')
        return request.method === 'GET' ? files.describe(context, object.file) : files.remove(asked, id, object.file)
      if (scope === passScope || object.kind === 'account') return passOther(asked, object, id)
      const outcome = await pass(parts, asked, { channelId: object.channelId, path: id, of: object.kind })
      // What was changed can soon be sent.
      if (outcome.ok && request.method === 'POST') parts.templateRefresher.request(object.channelId)
      return outcome
    }

  const other: Work = async (caller, { request, id, rest }) => {
    const [edge = '', name, ...more] = rest
    const owner = await ownerNamed(caller, id)
    const isName = name === undefined || (owner?.kind === 'line' && namePattern.test(name))
    const isPath = edgePattern.test(edge) && isName && more.length === 0
    if (!owner || !isPath || !methods.includes(request.method)) return missing
    const way = reservedEdges.get(edge)
    if (way !== undefined) return no({ reason: 'VALIDATION_ERROR', message: way })
    return passOther({ caller, request }, owner, [id, ...rest].join('/'))
  }

  const { readObject, changeObject, deleteObject } = dropInOperations
  return { readObject: byId(readObject), changeObject: byId(changeObject), deleteObject: byId(deleteObject), other }
}
