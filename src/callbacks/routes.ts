import { Elysia } from 'elysia'
import type { Channel } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import { isSameSecret } from '../base/crypto.ts'
import { GatewayError, type Issue, invalid, type Refusal } from '../base/errors.ts'
import { hasMoreEntriesThan, parseExactly, toldEntriesMax } from '../base/json.ts'
import { OutcomeUnknown, Unavailable } from '../base/unavailable.ts'
import { requestIdOf } from '../http/headers.ts'
import type { PeerLookup, Peers } from '../http/peer.ts'
import type { RequestLog } from '../http/requestLog.ts'
import { countryOf } from '../message/callingCodes.ts'
import { pricingOf } from '../message/pricing.ts'
import type { SubmissionParts } from '../sending/submission.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { BrokenPromise } from '../telemetry/promises.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { actOnErrors } from './accountErrors.ts'
import { newsAmong } from './identityNews.ts'
import { answerOptOuts } from './optOutAnswer.ts'
import { readCallback } from './parse.ts'
import { PlatformEndpoints } from './platformEndpoints.ts'
import { CallbackReceipts } from './receipts.ts'
import { isSignature, isSignedBy } from './signature.ts'
import type { StatusRead } from './status.ts'
import type { TemplateUpdate } from './templateUpdate.ts'
import { UnverifiedBodies } from './unverifiedBodies.ts'

/** The upstream repeats a callback for days when it could not be stored. This only spreads the repeats. */
const storeRetryMs = 5_000

/** Each channel has an app secret of its own, and its holder can sign anything. */
const tooManyEntries = { path: '', message: `must not have more than ${toldEntriesMax} fields and elements in all` }
const unreadable = { path: '', message: 'is not readable JSON' }

/**
 * The size of a piece. Between two pieces the writer stores other work: a callback of 3 MiB has 14,000 messages, and in
 * one piece would delay every send for seconds.
 */
const pieceMax = 20

export interface CallbackParts {
  readonly store: Store
  readonly credentials: Credentials
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly peers: Peers
  readonly requests: RequestLog
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
  readonly sending: SubmissionParts
}

/**
 * Verification and callbacks of a channel (docs/upstream.md#webhook-delivery). The upstream repeats every callback that
 * is not answered 200.
 */
export function callbackRoutes(parts: CallbackParts) {
  const bodies = new UnverifiedBodies(parts.clock)
  const receipts = new CallbackReceipts(parts.store, parts.clock, parts.metrics)
  const endpoints = new PlatformEndpoints(parts.store.read, parts.clock)
  return new Elysia({ name: 'callbacks' })
    .get(
      '/callbacks/channel/:channelId',
      async ({ params, query, request }) => {
        const channel = await channelOf(parts, params.channelId)
        const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query
        const isRight = isSameSecret(token ?? '', parts.credentials.open(channel, 'verifyToken'))
        if (mode !== 'subscribe' || challenge === undefined || !isRight) {
          const entry = { requestId: requestIdOf(request) }
          parts.requests.refused(request, wrongVerification, entry, 'callback')
          return plain('Forbidden', 403)
        }
        return plain(challenge, 200)
      },
      { detail: { hide: true } },
    )
    .post(
      '/callbacks/channel/:channelId',
      async ({ params, request, server }) => {
        const channel = await channelOf(parts, params.channelId)
        const bytes = await readSigned(parts, { bodies, receipts }, channel, request, server)
        await takeIn(parts, channel, bytes, await endpoints.has(channel))
        return plain('OK', 200)
      },
      {
        parse: 'none',
        detail: { hide: true },
      },
    )
}

/** @throws GatewayError UNAUTHORIZED when the upstream did not sign the body */
async function readSigned(
  { credentials, peers, metrics }: CallbackParts,
  { bodies, receipts }: { bodies: UnverifiedBodies; receipts: CallbackReceipts },
  channel: Channel,
  request: Request,
  server: PeerLookup | null,
): Promise<Uint8Array> {
  const signature = request.headers.get('x-hub-signature-256')
  if (!isSignature(signature)) {
    // A body without a signature is not read at all.
    receipts.refused(channel.id, signature === null ? 'unsigned' : 'wrongSignature')
    throw unsigned()
  }
  const networks = peers.networksOf(request, server)
  const bytes = await bodies.read(request, networks).catch(error => {
    metrics.callbacks.add('not_read')
    throw error
  })
  // Over the bytes as received, before anything is parsed.
  if (!isSignedBy(credentials.open(channel, 'appSecret'), bytes, signature)) {
    bodies.countRefusal(networks)
    receipts.refused(channel.id, 'wrongSignature')
    throw unsigned()
  }
  receipts.accepted(channel.id)
  return bytes
}

/** For the log; the upstream reads the status alone. */
const wrongVerification: Refusal = {
  reason: 'UNAUTHORIZED',
  status: 403,
  message: 'The verify token is wrong, or this is no verification.',
}

const unsigned = () => new GatewayError({ reason: 'UNAUTHORIZED', message: 'The signature is missing or wrong.' })

const plain = (body: string, status: number) =>
  new Response(body, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })

async function channelOf({ store }: CallbackParts, channelId: string): Promise<Channel> {
  const channel = await store.read.channel(channelId)
  if (!channel) throw new GatewayError({ reason: 'NOT_FOUND', message: 'No such route.' })
  return channel
}

/**
 * Stores what the callback says. Resolves once it is on disk.
 * @param keepsStatuses whether what statuses say of conversation and price is kept as it came
 */
async function takeIn(
  parts: CallbackParts,
  channel: Channel,
  bytes: Uint8Array,
  keepsStatuses: boolean,
): Promise<void> {
  const { store, credentials, clock, log, templateRefresher, metrics } = parts
  const json = new TextDecoder().decode(bytes)
  const refuse = (issue: Issue) => {
    metrics.callbacks.add('unreadable')
    return new GatewayError(invalid([issue]))
  }
  if (hasMoreEntriesThan(json, toldEntriesMax)) throw refuse(tooManyEntries)
  const payload = parseExactly(json)
  if (payload === undefined) throw refuse(unreadable)
  const recordedAt = clock.now()
  const secrets = [credentials.open(channel, 'accessToken'), credentials.open(channel, 'appSecret')]
  const content = readCallback(payload, recordedAt, { secrets, keepsStatuses })
  const { statuses, payments, inbound, identities, templateUpdates, updates } = content
  const channelId = channel.id
  const reports = statuses.map(({ report }) => report)
  actOnErrors({ log, templateRefresher }, channelId, content)
  /** Of one template: those of one second differ only in their order, which transactions at once would not keep. */
  const applyInTurn = async (updatesOfOne: readonly TemplateUpdate[]) => {
    const refreshed = []
    for (const update of updatesOfOne)
      refreshed.push(await store.write.applyTemplateUpdate({ channelId, recordedAt, ...update }))
    return refreshed
  }
  try {
    // Posted together, so that they share a commit. They do not depend on each other.
    const [refresh, counts] = await Promise.all([
      inPieces(templateUpdates, piece => Promise.all(byTemplate(piece).map(applyInTurn))),
      inPieces(reports, piece => applyReports(store, { channelId, reports: piece, recordedAt })),
      inPieces(payments, piece => store.write.recordPayments({ channelId, payments: piece, recordedAt })),
      inPieces(inbound, messages => store.write.recordInbound({ channelId, messages, recordedAt })),
      inPieces(identities, async piece => {
        const changes = await newsAmong(store.read, channel.workspaceId, piece)
        if (changes.length > 0) await store.write.followIdentities({ channelId, changes, recordedAt })
      }),
      inPieces(updates, piece => store.write.keepUpdates({ channelId, updates: piece, recordedAt })),
    ])
    for (const id of new Set(refresh.flat(3))) templateRefresher.request(id)
    await answerOptOuts(parts, channel, inbound)
    metrics.callbacks.add('stored')
    for (const { applied, parked } of counts) {
      metrics.statuses.add('applied', applied)
      metrics.statuses.add('parked', parked)
    }
    countPrices(metrics, statuses)
    const foreign = counts.reduce((sum, count) => sum + count.foreign, 0)
    if (foreign > 0) {
      log.warn(
        { channelId, reports: foreign },
        "statuses name another channel's messages: two channels of one account share one callback address",
      )
    }
  } catch (cause) {
    if (!(cause instanceof Unavailable || cause instanceof OutcomeUnknown)) throw cause
    metrics.callbacks.add('not_stored')
    throw new GatewayError(
      { reason: 'SERVICE_UNAVAILABLE', message: 'The callback could not be stored.', retryAfterMs: storeRetryMs },
      { cause },
    )
  }
}

/** One report that would break a promise keeps none beside it from being stored. Refused, the callback comes again. */
async function applyReports({ write }: Pick<Store, 'write'>, given: Parameters<Store['write']['applyReports']>[0]) {
  try {
    return await write.applyReports(given)
  } catch (error) {
    if (!(error instanceof BrokenPromise) || given.reports.length === 1) throw error
    const each = given.reports.map(report => write.applyReports({ ...given, reports: [report] }))
    await Promise.allSettled(each)
    throw error
  }
}

/** A delivery is what is charged. The country is that of the number, and `unknown` for a user id. */
function countPrices(metrics: Metrics, statuses: readonly StatusRead[]): void {
  for (const { report, recipient } of statuses) {
    const pricing = report.event.status === 'delivered' ? pricingOf(report.event.pricing) : null
    if (!pricing) continue
    const country = countryOf(recipient.phone ?? '') ?? 'unknown'
    metrics.pricedDeliveries.add(`${pricing.category}/${country}/${pricing.billable ? 'yes' : 'no'}`)
  }
}

/** @returns the updates of each template, in their order */
const byTemplate = (updates: readonly TemplateUpdate[]): readonly TemplateUpdate[][] => [
  ...Map.groupBy(updates, ({ accountId, name, language }) => `${accountId} ${name} ${language}`).values(),
]

/** Stores entries in their order, one piece after the other. A callback that is repeated halfway loses nothing. */
async function inPieces<Entry, Result>(
  entries: readonly Entry[],
  store: (piece: readonly Entry[]) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < entries.length; at += pieceMax) results.push(await store(entries.slice(at, at + pieceMax)))
  return results
}
