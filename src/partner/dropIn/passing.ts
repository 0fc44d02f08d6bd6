import type { StoreReads } from '../../../db/contract/store.ts'
import type { Credentials } from '../../base/credentials.ts'
import { invalid } from '../../base/errors.ts'
import { field, isObject, type JsonObject, list, parseObject, text } from '../../base/json.ts'
import { readFault, type UpstreamFault, unreachable } from '../../graph/answer.ts'
import type { ChannelClient } from '../../graph/client.ts'
import { graphRefusal } from '../../sending/refusals.ts'
import type { Outcome, PartnerCaller } from '../endpoint.ts'
import type { UnderWay } from '../underWay.ts'
import { addressOf } from './address.ts'
import { type LinkTokens, linkTo } from './credentials.ts'
import { missing } from './refusals.ts'

export interface PassingParts {
  readonly read: Pick<StoreReads, 'channel'>
  readonly client: Pick<ChannelClient, 'pass'>
  readonly credentials: Credentials
  readonly links: LinkTokens
  /** The address that callers use; null: that of their request. */
  readonly publicUrl: string | null
  /** Calls of the platform at once: each waits for its answer. */
  readonly calls: UnderWay
}

/** What a call may say in its query: the platform also takes another method there, or further calls. */
const parameters = [
  ...['fields', 'limit', 'after', 'before', 'sort'],
  ...['name', 'name_or_content', 'content', 'status', 'category', 'language', 'hsm_id'],
]
/** Names alone: in braces, the platform shows what else our token may see. */
const fieldsPattern = /^[a-z0-9_]+(,[a-z0-9_]+)*$/

/** A call that goes to the platform. */
interface Passed {
  readonly channelId: string
  /** Behind the version, without its query. */
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** JSON. */
  readonly body?: string
  /** Leaves of a list what the caller may see; absent: all of it. */
  readonly narrow?: (data: readonly unknown[]) => readonly unknown[]
}

/**
 * Makes a call at the platform with our token for the account, and answers as it does: so a client gets what it asks
 * for, as the platform knows it. Whether the id in the path is the caller's, is known before.
 */
export async function pass(
  parts: PassingParts,
  { workspaceId }: PartnerCaller,
  request: Request,
  { channelId, path, method = 'GET', body: sent, narrow = data => data }: Passed,
): Promise<Outcome> {
  const channel = await parts.read.channel(channelId)
  if (!channel) return missing(path)
  const accessToken = parts.credentials.open(channel, 'accessToken')
  const given = addressOf(request).searchParams
  const query = new URLSearchParams([...given].filter(([name]) => parameters.includes(name)))
  if (query.getAll('fields').some(fields => fields !== '' && !fieldsPattern.test(fields)))
    return { ok: false, refusal: invalid([{ path: 'fields', message: 'must be names, with commas' }]) }
  const call = { path: query.size === 0 ? path : `${path}?${query}`, accessToken, method, body: sent }
  const exchange = await parts.calls.run(workspaceId, () => parts.client.pass(call))
  if ('reason' in exchange) return { ok: false, refusal: exchange }
  if (exchange.kind !== 'answered') return refused(unreachable(exchange.why, 'The upstream platform gave no answer'))
  const json = parseObject(exchange.body)
  const fault = readFault(json?.error, exchange.status, [accessToken])
  if (fault) return refused(fault)
  const unreadable = refused(unreachable(`HTTP ${exchange.status}`, 'The upstream platform gave no readable answer'))
  if (exchange.status !== 200 || !json) return unreadable
  const { paging, ...rest } = json
  const shown = Array.isArray(json.data) ? { ...rest, data: narrow(list(json.data)) } : rest
  const body = isObject(paging) ? { ...shown, paging: ownPaging(parts, request, query, paging) } : shown
  // Its own addresses hold our token; they are left out above, and whatever else may hold it is not handed on.
  return JSON.stringify(body).includes(accessToken) ? unreadable : { ok: true, status: 200, body }
}

const refused = (fault: UpstreamFault): Outcome => ({
  ok: false,
  refusal: graphRefusal('The upstream platform did not answer', null, fault),
})

/**
 * The platform's own addresses of pages hold our token. Ours lead here, with a token for this path alone: some clients
 * follow them without a header.
 */
function ownPaging(
  { links, publicUrl }: PassingParts,
  request: Request,
  query: URLSearchParams,
  { cursors, next, previous }: JsonObject,
): JsonObject {
  const pageAt = (name: 'after' | 'before', page: unknown) => {
    const position = text(field(cursors, name))
    if (text(page) === null || position === null) return null
    const of = new URLSearchParams(query)
    for (const each of ['after', 'before']) of.delete(each)
    of.set(name, position)
    return linkTo(links, request, publicUrl, addressOf(request).pathname, of)
  }
  const after = pageAt('after', next)
  const before = pageAt('before', previous)
  return {
    ...(isObject(cursors) && { cursors: { before: cursors.before, after: cursors.after } }),
    ...(after !== null && { next: after }),
    ...(before !== null && { previous: before }),
  }
}
