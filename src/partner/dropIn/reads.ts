import type { Line } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { Credentials } from '../../base/credentials.ts'
import { field, isObject, type JsonObject, list, parseObject, text } from '../../base/json.ts'
import { readFault, type UpstreamFault, unreachable } from '../../graph/answer.ts'
import type { ChannelClient } from '../../graph/client.ts'
import { graphRefusal } from '../../sending/refusals.ts'
import { type DropInCall, dropInOperations } from '../calls.ts'
import type { Endpoint, Outcome, PartnerCaller } from '../endpoint.ts'
import type { UnderWay } from '../underWay.ts'
import { type LinkTokens, linkTo } from './credentials.ts'
import { accountNamed, lineNamed, linesOf } from './lines.ts'
import { noSuchObject } from './refusals.ts'
import type { NamedContext } from './send.ts'

export interface GraphReadParts {
  readonly read: Pick<StoreReads, 'channel'>
  readonly client: Pick<ChannelClient, 'pass'>
  readonly credentials: Credentials
  readonly links: LinkTokens
  /** The address that callers use; null: that of their request. */
  readonly publicUrl: string | null
  readonly reads: UnderWay
}

/** Of a query, what is the caller's and never the platform's. */
const ownParameters = ['access_token', 'appsecret_proof', 'input_token']

/**
 * The reads that go to the platform, with our token for the account, and come back as it answers
 * (docs/drop-in.md#calls): so a client gets the fields that it asks for, as the platform knows them. An id that is not
 * of the caller is answered here.
 */
export function graphReads(parts: GraphReadParts, endpoint: Endpoint) {
  const ofLine = (call: DropInCall) =>
    endpoint<NamedContext>(call, async (caller, context) => {
      const line = await lineNamed(caller, context.id)
      return line ? pass(parts, caller, context, line, line.upstreamPhoneId) : no(context.id)
    })
  const ofAccount = (
    call: DropInCall,
    edge: string,
    narrow: (data: readonly unknown[], of: PartnerCaller) => Narrowed,
  ) =>
    endpoint<NamedContext>(call, async (caller, context) => {
      const channel = await accountNamed(parts.read, caller, context.id)
      const path = `${context.id}/${edge}`
      return channel
        ? pass(parts, caller, context, { channelId: channel.id }, path, data => narrow(data, caller))
        : no(context.id)
    })
  return {
    readLine: ofLine(dropInOperations.readLine.call),
    listTemplates: ofAccount(dropInOperations.listTemplates.call, 'message_templates', async data => data),
    listNumbers: ofAccount(dropInOperations.listNumbers.call, 'phone_numbers', ownNumbers),
  }
}

type Narrowed = Promise<readonly unknown[]>

/** An account may have lines of other workspaces, or of none. */
async function ownNumbers(data: readonly unknown[], caller: PartnerCaller): Narrowed {
  const ids = new Set((await linesOf(caller)).map(({ upstreamPhoneId }) => upstreamPhoneId))
  return data.filter(number => ids.has(text(field(number, 'id')) ?? ''))
}

const no = (id: string): Outcome => ({ ok: false, refusal: noSuchObject(id) })

async function pass(
  parts: GraphReadParts,
  caller: PartnerCaller,
  { request }: NamedContext,
  { channelId }: Pick<Line, 'channelId'>,
  path: string,
  narrow: (data: readonly unknown[]) => Narrowed = async data => data,
): Promise<Outcome> {
  const channel = await parts.read.channel(channelId)
  if (!channel) return no(path)
  const accessToken = parts.credentials.open(channel, 'accessToken')
  const query = new URL(request.url).searchParams
  for (const name of ownParameters) query.delete(name)
  const ask = () => parts.client.pass({ path: query.size === 0 ? path : `${path}?${query}`, accessToken })
  const exchange = await parts.reads.run(caller.workspaceId, ask)
  if ('reason' in exchange) return { ok: false, refusal: exchange }
  if (exchange.kind !== 'answered') return refused(unreachable(exchange.why, 'The upstream platform gave no answer'))
  const json = parseObject(exchange.body)
  const fault = readFault(json?.error, exchange.status, [accessToken])
  if (fault) return refused(fault)
  const unreadable = refused(unreachable(`HTTP ${exchange.status}`, 'The upstream platform gave no readable answer'))
  if (exchange.status !== 200 || !json) return unreadable
  const { paging, ...rest } = json
  const shown = Array.isArray(json.data) ? { ...rest, data: await narrow(list(json.data)) } : rest
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
  { links, publicUrl }: GraphReadParts,
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
    return linkTo(links, request, publicUrl, new URL(request.url).pathname, of)
  }
  const after = pageAt('after', next)
  const before = pageAt('before', previous)
  return {
    ...(isObject(cursors) && { cursors: { before: cursors.before, after: cursors.after } }),
    ...(after !== null && { next: after }),
    ...(before !== null && { previous: before }),
  }
}
