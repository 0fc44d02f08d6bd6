import type { Channel } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import type { Credentials } from '../../base/credentials.ts'
import { GatewayError, type Issue, invalid } from '../../base/errors.ts'
import { field, isDeeperThan, isObject, type JsonObject, list, parseAnswer, text } from '../../base/json.ts'
import { readFault, type UpstreamFault, unreachable } from '../../graph/answer.ts'
import type { CallRequest } from '../../graph/call.ts'
import type { ChannelClient } from '../../graph/client.ts'
import { formsOf } from '../../graph/redact.ts'
import { whyUnreached } from '../../graph/unreached.ts'
import { jsonOf, readInTime } from '../../http/body.ts'
import type { FieldsOwner } from '../../http/dropInCalls.ts'
import { bodyBytesMax, bodyMsMax } from '../../http/limits.ts'
import type { RequestHead } from '../../http/requestHead.ts'
import type { UnderWay } from '../../http/underWay.ts'
import { graphRefusal } from '../../sending/refusals.ts'
import type { PartnerCaller } from '../caller.ts'
import type { Outcome } from '../endpoint.ts'
import { addressOf, ownParameters } from './address.ts'
import { type LinkTokens, linkTo } from './credentials.ts'
import { fieldsIssue } from './fields.ts'
import { isAboutOurToken, missing, no } from './refusals.ts'

export interface PassingParts {
  readonly read: Pick<StoreReads, 'channel'>
  readonly client: Pick<ChannelClient, 'pass'>
  readonly credentials: Credentials
  readonly clock: Clock
  readonly links: LinkTokens
  /** The address that callers use; null: that of their request. */
  readonly publicUrl: string | null
  /** Calls of the platform at once: each waits for its answer. */
  readonly calls: UnderWay
}

/** Who makes a call. */
export interface Asked {
  readonly caller: PartnerCaller
  readonly request: RequestHead
}

/** What the calls of this API say in their query. */
const filters: readonly string[] = [
  ...['fields', 'limit', 'after', 'before', 'sort', 'phone_number_id', 'messaging_product'],
  ...['name', 'name_or_content', 'content', 'status', 'category', 'language', 'hsm_id'],
]
/** By these the platform does more than the path says, with our token: another method, other objects, further calls. */
const reservedNames: readonly string[] = [
  ...ownParameters,
  ...['method', 'id', 'ids', 'batch', 'include_headers', 'metadata'],
  // Where the callbacks of a line go, is told to this gateway (objects.ts).
  'webhook_configuration',
]
/** Without capitals and brackets: no other spelling of these, nor of `fields`. */
const namePattern = /^[a-z0-9_]{1,60}$/
/** Of a page: what the platform answers is read and written on the thread that sends. */
const limitMax = 1_000
/** More than any answer of the platform has. Some thousands are too many to be written. */
const answerLevelsMax = 100

/** A call that goes to the platform, by the method of the request. */
export interface Passed {
  readonly channelId: string
  /** Behind the version, without its query. */
  readonly path: string
  /** Leaves of a list what the caller may see; absent: all of it. */
  readonly narrow?: (data: readonly unknown[]) => readonly unknown[]
  /**
   * Keeps what was done, before it is answered.
   * @param body of the request; empty: it had none
   * @param answer has an `error` beside what was done, where some of a list were refused
   */
  readonly keep?: (body: JsonObject, answer: JsonObject) => Promise<void>
  /** What it reads or changes. Of `other`, what the call may say in its query is the platform's alone to know. */
  readonly of: FieldsOwner
}

const isPassed = (name: string) => namePattern.test(name) && !reservedNames.includes(name)

const issueOf = (name: string): Issue => ({ path: `/${name}`, message: 'is not passed on' })

/** @throws GatewayError for what it may not say; of a read of this API that is left out */
export function queryOf({ caller, request }: Asked, { of }: Pick<Passed, 'of'>): URLSearchParams {
  const isUnknown = of === 'other'
  const given = [...addressOf(request).searchParams]
  const query = new URLSearchParams(given.filter(([name]) => (isUnknown ? isPassed(name) : filters.includes(name))))
  const others = given.map(([name]) => name).filter(name => !query.has(name) && !ownParameters.includes(name))
  const issues = request.method === 'GET' && !isUnknown ? [] : others.map(issueOf)
  issues.push(...query.getAll('fields').flatMap(fields => fieldsIssue(caller, of, fields)))
  if (query.getAll('limit').some(limit => !/^\d{1,9}$/.test(limit) || Number(limit) > limitMax))
    issues.push({
      path: '/limit',
      message: `must be a whole number up to ${limitMax}; the next page is at paging.next`,
    })
  if (issues.length > 0) throw new GatewayError(invalid(issues))
  return query
}

/**
 * @returns the body of a change; undefined: it has none
 * @throws GatewayError as `readJson` does; VALIDATION_ERROR for anything but an object, or what it may not say
 */
export async function bodyOf(
  { caller, request }: Asked,
  clock: Clock,
  { of }: Pick<Passed, 'of'>,
): Promise<JsonObject | undefined> {
  if (request.method === 'GET') return undefined
  const bytes = await caller.body(whole => readInTime(whole, clock, { bytesMax: bodyBytesMax, msMax: bodyMsMax }))
  if (bytes.length === 0) return undefined
  const body = jsonOf(bytes)
  if (!isObject(body)) throw new GatewayError(invalid([{ path: '', message: 'must be an object' }]))
  const issues = Object.keys(body)
    .filter(name => !isPassed(name))
    .map(issueOf)
  if (Object.hasOwn(body, 'fields')) issues.push(...fieldsIssue(caller, of, body.fields))
  if (issues.length > 0) throw new GatewayError(invalid(issues))
  return body
}

/**
 * Makes a call at the platform with our token for the account, and answers as it does: so a client gets what it asks
 * for, as the platform knows it. Whether the id in the path is the caller's, is known before.
 * @param request GET, POST or DELETE
 * @throws GatewayError for a query or a body that is not passed on
 */
export async function pass(parts: PassingParts, asked: Asked, passed: Passed): Promise<Outcome> {
  const { caller, request } = asked
  const { channelId, path, narrow, keep } = passed
  const channel = await parts.read.channel(channelId)
  if (!channel) return missing
  const query = queryOf(asked, passed)
  const body = await bodyOf(asked, parts.clock, passed)
  const method = request.method as 'GET' | 'POST' | 'DELETE'
  const address = query.size === 0 ? path : `${path}?${query}`
  const call = { path: address, method, body: body && JSON.stringify(body) }
  return askPlatform(parts, caller, channel, call, async json => {
    const { paging, ...rest } = json
    if (narrow && !Array.isArray(json.data)) return null
    if (keep) await keep(body ?? {}, json)
    const shown = narrow ? { ...rest, data: narrow(list(json.data)) } : rest
    // Its own addresses of pages hold our token.
    return isObject(paging) ? { ...shown, paging: ownPaging(parts, request, query, paging) } : shown
  })
}

/**
 * Makes a call at the platform with our token for an account.
 * @param read makes the caller's answer of the platform's, which may have refused some of a list; null: it is none
 * @returns that answer, or why there is none. Our token is in neither
 */
export async function askPlatform(
  { calls, client, credentials }: Pick<PassingParts, 'calls' | 'client' | 'credentials'>,
  caller: PartnerCaller,
  channel: Channel,
  call: Omit<CallRequest, 'accessToken'>,
  read: (json: JsonObject) => JsonObject | null | Promise<JsonObject | null>,
): Promise<Outcome> {
  const accessToken = credentials.open(channel, 'accessToken')
  const exchange = await calls.run(caller.workspaceId, () => client.pass({ ...call, accessToken }))
  if ('reason' in exchange) return no(exchange)
  if (exchange.kind !== 'answered')
    return refused(unreachable(whyUnreached(exchange), 'The upstream platform gave no answer'))
  const { status } = exchange
  // An answer may be long: what is made of it is a turn.
  await caller.read.turn()
  const json = parseAnswer(exchange.body)
  // What takes the bytes of an upload has errors of another name.
  const error = json?.error ?? (status >= 400 ? json?.debug_info : undefined)
  const fault = readFault(error, status, [accessToken])
  // Of a list, it may refuse some: then its answer tells what was done too.
  const isPartial = fault !== null && !isAboutOurToken(fault.code) && Object.keys(json ?? {}).length > 1
  // What the platform refuses, it may answer with 200.
  const refusal = fault && refused(fault, isAboutOurToken(fault.code) || status < 400 ? undefined : status)
  if (refusal && !isPartial) return refusal
  const unreadable = refused(unreachable(`HTTP ${status}`, 'The upstream platform gave no readable answer'))
  if ((status !== 200 && !isPartial) || !json || isDeeperThan(json, answerLevelsMax)) return unreadable
  const answer = await read(json)
  if (answer === null) return refusal ?? unreadable
  const written = JSON.stringify(answer)
  return formsOf(accessToken).some(form => written.includes(form)) ? unreadable : { ok: true, status, written }
}

/** @param status the platform's own; absent: a client would take what it says for its own fault */
function refused(fault: UpstreamFault, status?: number): Outcome {
  const refusal = graphRefusal('The upstream platform refused the call', null, fault)
  return no(status === undefined ? refusal : { ...refusal, status })
}

/**
 * The platform's own addresses of pages hold our token. Ours lead here, with a token for this path alone: some clients
 * follow them without a header.
 */
function ownPaging(
  { links, publicUrl }: PassingParts,
  request: RequestHead,
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
