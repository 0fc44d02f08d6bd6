import type { ApiKey } from '../../../db/accounts.ts'
import type { OpenMessages } from '../../../db/queries.ts'
import type { CallbackReceipt, Channel, Line, Template } from '../../../db/records.ts'
import type { UpstreamUpdate } from '../../../db/updates.ts'
import type { WebhookEndpoint } from '../../../db/webhooks.ts'
import { sharingAccounts } from '../../channels/check.ts'
import type { Static } from '../../schema.ts'
import { chooseLine } from '../../sending/line.ts'
import type { LineBacklog } from '../../sending/openMessages.ts'
import type { EpochMs } from '../../time/clock.ts'
import { callbacksView } from '../channels/schemas.ts'
import { iso, isoOrNull } from '../shapes.ts'
import type { findingSchema } from './schemas.ts'

/** The state of a workspace, from which its findings follow. */
export interface WorkspaceState {
  readonly now: EpochMs
  readonly channels: readonly Channel[]
  /** Channels whose access token was refused. */
  readonly refused: ReadonlySet<string>
  /** Of the lines of this instance of the gateway, also those of other workspaces. */
  readonly backlogs: readonly LineBacklog[]
  readonly receipts: ReadonlyMap<string, CallbackReceipt>
  readonly lines: readonly Line[]
  readonly keys: readonly ApiKey[]
  readonly templates: readonly Template[]
  readonly webhooks: readonly WebhookEndpoint[]
  readonly open: OpenMessages
  readonly plan: { readonly limit: number | null; readonly used: number }
  /** The upstream's updates about channels and lines, by their ids. */
  readonly updates: ReadonlyMap<string, readonly UpstreamUpdate[]>
  /** Of the last seven days. */
  readonly lately: { readonly messages: number; readonly failed: number }
}

/** A finding that needs a person. The page describes it and links to the place to fix it. */
export type Finding = Static<typeof findingSchema>

/** The same fields for each kind, so that the page's type is one. */
const finding = (kind: Finding['kind'], about: Partial<Finding> = {}): Finding => ({
  kind,
  subjects: [],
  count: null,
  of: null,
  isMore: false,
  since: null,
  what: null,
  ...about,
})

const dayMs = 86_400_000
/** The contract's advice (docs/partner-api.md#authentication). */
const keyAgeMsMax = 90 * dayMs
/** Older updates of the upstream are not shown here; the page of the line still has them. */
const updateMsMax = 30 * dayMs
/** From here on there is little time to raise the limit. */
const planShare = 0.8
/** A message that waits longer is stuck, not paced: callers were answered QUEUED long before. */
const waitMsMax = 300_000
/** One failure in five, with enough messages to exclude chance. */
const failureShare = 0.2
const failuresMin = 10
/** Names on the overview; the page of the templates has all. */
const namesMax = 5

/** A receiver that restarts is away for a shorter time: its events are tried again meanwhile. */
const webhookMsMax = 600_000

const badTemplates: ReadonlySet<string> = new Set(['REJECTED', 'PAUSED', 'DISABLED'])

/** @returns what needs attention, the worst first */
export function findingsOf(state: WorkspaceState): Finding[] {
  const { now, channels, refused, backlogs, receipts, lines, keys, templates, open, plan, updates, lately } = state
  const findings: Finding[] = []
  if (channels.length === 0) findings.push(finding('noChannel'))
  else if (!lines.some(({ active }) => active)) findings.push(finding('noActiveLine'))
  for (const { id: channelId } of channels) {
    if (refused.has(channelId)) findings.push(finding('refusedToken', { subjects: [channelId] }))
  }
  const choice = chooseLine(lines, null)
  if (!choice.ok && choice.refusal.reason === 'PHONE_NUMBER_REQUIRED') findings.push(finding('noDefaultLine'))
  const own = backlogs.filter(({ lineId }) => lines.some(({ id }) => id === lineId))
  const since = Math.min(...own.map(({ oldestAt }) => oldestAt ?? now))
  if (now - since > waitMsMax) {
    findings.push(finding('backlog', { count: own.reduce((sum, { waiting }) => sum + waiting, 0), since: iso(since) }))
  }
  for (const { id: channelId } of channels) {
    const { state, refusedAt, refusal } = callbacksView(receipts.get(channelId))
    if (state === 'accepted') continue
    findings.push(finding('callbacks', { subjects: [channelId], what: refusal ?? state, since: refusedAt }))
  }
  findings.push(...state.webhooks.flatMap(webhook => findingOf(webhook, now) ?? []))
  for (const shared of sharingAccounts(channels)) {
    findings.push(finding('sharedAccount', { subjects: shared.map(({ id }) => id) }))
  }
  for (const [subject, told] of updates) {
    for (const { kind: what, at } of told) {
      if (now - at <= updateMsMax) findings.push(finding('update', { subjects: [subject], what, since: iso(at) }))
    }
  }
  if (plan.limit !== null && plan.used >= plan.limit * planShare) {
    findings.push(finding('planLimit', { count: plan.used, of: plan.limit }))
  }
  if (open.unknown > 0) {
    findings.push(
      finding('unknownMessages', { count: open.unknown, isMore: open.isMore, since: isoOrNull(open.unknownSince) }),
    )
  }
  if (lately.failed >= failuresMin && lately.failed >= lately.messages * failureShare) {
    findings.push(finding('manyFailures', { count: lately.failed, of: lately.messages }))
  }
  const bad = [...new Set(templates.filter(({ status }) => badTemplates.has(status)).map(({ name }) => name))]
  if (bad.length > 0)
    findings.push(
      finding('templates', { subjects: bad.slice(0, namesMax), count: bad.length, isMore: bad.length > namesMax }),
    )
  const living = keys.filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now),
  )
  if (living.length === 0) findings.push(finding('noKey'))
  const old = living.filter(({ createdAt }) => now - createdAt > keyAgeMsMax)
  if (old.length > 0) findings.push(finding('oldKeys', { subjects: old.map(({ id }) => id), count: old.length }))
  return findings
}

/** @returns null for an endpoint that works, or that a person switched off */
function findingOf(webhook: WebhookEndpoint, now: EpochMs): Finding | null {
  const { id, url, description, disabledAt, disabledReason, failingSince } = webhook
  const subjects = [id, description ?? url]
  if (disabledAt !== null) {
    if (disabledReason === 'switchedOff') return null
    return finding('webhookOff', { subjects, what: disabledReason, since: iso(disabledAt) })
  }
  if (failingSince === null || now - failingSince <= webhookMsMax) return null
  return finding('webhookFailing', { subjects, since: iso(failingSince) })
}
