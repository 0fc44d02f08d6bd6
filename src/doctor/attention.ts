import type { ApiKey } from '../../db/contract/accounts.ts'
import type { Batch } from '../../db/contract/batches.ts'
import type { OpenCount } from '../../db/contract/queries.ts'
import type { CallbackReceipt, Channel, Line, Template } from '../../db/contract/records.ts'
import type { UpstreamUpdate } from '../../db/contract/updates.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import type { LastUpgrade } from '../../db/migrations.ts'
import { type BackupStatus, type BackupsDue, backupProblem } from '../backup/status.ts'
import type { EpochMs } from '../base/clock.ts'
import { sha256 } from '../base/crypto.ts'
import { lineName } from '../base/direction.ts'
import { dayMs, minuteMs } from '../base/durations.ts'
import { field, text } from '../base/json.ts'
import { closed, orNull, type Static, Type } from '../base/schema.ts'
import { accountErrorKind } from '../graph/accountErrors.ts'
import { causeWords } from '../graph/failures.ts'
import { keyAgeMsMax, keyWorks } from '../operations/apiKeys.ts'
import { callbackState, sharingAccounts } from '../operations/channels/check.ts'
import { failureShare, type LineHealth } from '../operations/channels/lineHealth.ts'
import { restrictionOf } from '../operations/channels/restrictions.ts'
import type { StoppedLine } from '../operations/channels/stoppedLines.ts'
import { chooseLine } from '../sending/line.ts'
import type { LineBacklog } from '../sending/openMessages.ts'
import type { StatusReason } from '../templates/reason.ts'
import { webhookState } from '../webhooks/view.ts'
import { upgradeText } from './upgradeCheck.ts'

/** What the gateway knows of its backups. `areMade` is false when nothing copies its database, as far as it knows. */
export interface KnownBackups {
  readonly status: BackupStatus
  readonly due: BackupsDue
  readonly areMade: boolean
}

/** The state of a workspace, from which its findings follow. */
export interface WorkspaceState {
  readonly now: EpochMs
  readonly channels: readonly Channel[]
  /** Channels whose access token is refused, and since when. */
  readonly refused: ReadonlyMap<string, EpochMs>
  /** Lines and accounts that may not send. */
  readonly stopped: readonly StoppedLine[]
  /** Of the lines of this instance of the gateway, also those of other workspaces. */
  readonly backlogs: readonly LineBacklog[]
  readonly receipts: ReadonlyMap<string, CallbackReceipt>
  readonly lines: readonly Line[]
  /** What the last sends of each active line met, by its id. */
  readonly health: ReadonlyMap<string, LineHealth>
  readonly keys: readonly ApiKey[]
  readonly templates: readonly Template[]
  /** Why those of `shownTemplates` are paused, by their ids, where the upstream says it. */
  readonly pauses: ReadonlyMap<string, StatusReason>
  readonly webhooks: readonly WebhookEndpoint[]
  /** Of the last ones, those that have paused themselves. */
  readonly pausedBatches: readonly Pick<Batch, 'id' | 'name' | 'reason'>[]
  readonly open: OpenCount
  /** `reachedAt`: when the limit is reached at the present pace, if that is soon. `isCeiling`: it is the operator's. */
  readonly plan: {
    readonly limit: number | null
    readonly used: number
    readonly reachedAt: EpochMs | null
    readonly isCeiling: boolean
  }
  /** The upstream's updates about channels and lines, by their ids. */
  readonly updates: ReadonlyMap<string, readonly UpstreamUpdate[]>
  /** Of the last seven days. */
  readonly lately: { readonly messages: number; readonly failed: number }
  /** Those of the gateway; null where they are none of the reader's business. */
  readonly backups: KnownBackups | null
}

/**
 * `bad`: messages are not sent, or events are lost, until somebody acts. `warning`: some are, or soon will be. `note`:
 * to be done some time. What does most harm stands first: what stops all sends, then what stops those of an account or
 * a line, then events, then single messages and templates.
 */
export const severities = {
  databaseLocked: 'bad',
  restricted: 'bad',
  noChannel: 'bad',
  stoppedLine: 'bad',
  limitReached: 'bad',
  planLimit: 'warning',
  refusedToken: 'bad',
  noActiveLine: 'bad',
  pausedBatch: 'bad',
  noDefaultLine: 'warning',
  failingLine: 'warning',
  lowQuality: 'warning',
  backlog: 'warning',
  callbacks: 'warning',
  webhookOff: 'bad',
  webhookFailing: 'warning',
  manyFailures: 'warning',
  lateBackup: 'warning',
  lateUpload: 'warning',
  noBackups: 'warning',
  clockJumped: 'warning',
  sharedAccount: 'warning',
  keyWithoutLine: 'warning',
  endingKey: 'warning',
  unknownMessages: 'note',
  pausedTemplate: 'note',
  template: 'note',
  update: 'note',
  noKey: 'note',
  oldKeys: 'note',
  upgraded: 'note',
} as const

/** What needs attention. Which of the fields are there follows from `kind`. */
export const findingSchema = closed(
  {
    kind: Type.Enum(Object.keys(severities) as (keyof typeof severities)[]),
    severity: Type.Enum(['bad', 'warning', 'note'], { type: 'string' }),
    subjects: Type.Array(Type.String(), { description: 'The ids or names that it is about.' }),
    count: orNull(Type.Integer()),
    of: orNull(Type.Integer()),
    isMore: Type.Boolean(),
    since: orNull(Type.String()),
    until: orNull(Type.String()),
    what: orNull(Type.String()),
  },
  { title: 'Finding' },
)

/**
 * @returns which finding it is: another one when it is about something else, or has been so since another time. Numbers
 *   that grow while it lasts make no other one of it
 */
export const findingId = ({ kind, subjects, since }: AttentionFinding): string =>
  sha256(JSON.stringify([kind, subjects, since])).slice(0, 32)

/** A finding that needs a person. The page describes it and links to the place of its cure. */
export type AttentionFinding = Static<typeof findingSchema>
type Kind = AttentionFinding['kind']

const byHarm = Object.keys(severities) as Kind[]

/** Of one kind, what has been so for longest is the most urgent; what has no time comes last. */
function byUrgency(one: AttentionFinding, other: AttentionFinding): number {
  const since = ({ since }: AttentionFinding) => (since === null ? Number.POSITIVE_INFINITY : Date.parse(since))
  const harm = byHarm.indexOf(one.kind) - byHarm.indexOf(other.kind)
  return harm || (since(one) === since(other) ? 0 : since(one) - since(other))
}

/** The same fields for each kind, so that the page's type is one. */
const finding = (kind: Kind, about: Partial<AttentionFinding> = {}): AttentionFinding => ({
  kind,
  severity: severities[kind],
  subjects: [],
  count: null,
  of: null,
  isMore: false,
  since: null,
  until: null,
  what: null,
  ...about,
})

const iso = (at: EpochMs) => new Date(at).toISOString()
const isoOrNull = (at: EpochMs | null) => (at === null ? null : iso(at))

/** Older updates of the upstream are not shown here; the page of the line still has them. */
const updateMsMax = 30 * dayMs
/** Errors that stop the account are findings of their own; the others come with calls and conversations. */
const notFound = [accountErrorKind, 'calls', 'standby', 'messaging_handovers']
/** From here on there is little time to raise the limit. */
const planShare = 0.8
/** A message that waits longer is stuck, not paced: callers were answered QUEUED long before. */
const waitMsMax = 5 * minuteMs
/** Enough to exclude chance. */
const failuresMin = 10
/** One or two numbers that do not exist are no fault of the line. */
const lineFailuresMin = 3
/** Enough to give callers another key without haste. */
const keyEndMsMax = 14 * dayMs
/** Of each on the overview; its own page has all. */
const templatesMax = 3

/** A paused one was in use until a moment ago. */
const badTemplates: readonly string[] = ['PAUSED', 'REJECTED', 'DISABLED']
const badOnes = (templates: readonly Template[]) =>
  badTemplates.flatMap(bad => templates.filter(({ status }) => status === bad))

/** @returns the templates that are findings by themselves, so that each one's page is one click away */
export const shownTemplates = (templates: readonly Template[]) => badOnes(templates).slice(0, templatesMax)

/** @returns what needs attention, the worst first */
export function findingsOf(state: WorkspaceState): AttentionFinding[] {
  const { now, open, plan, lately } = state
  const findings = [ofChannels, ofQuality, ofSends, ofTemplates, ofKeys].flatMap(find => [...find(state)])
  // Resumed, paused by a person or cancelled, it has no reason any more. Another reason makes another finding.
  findings.push(
    ...state.pausedBatches.map(({ id, name, reason }) =>
      finding('pausedBatch', { subjects: [id, name ?? id, reason?.code ?? ''], what: reason?.message ?? null }),
    ),
  )
  findings.push(...state.webhooks.flatMap(webhook => findingOf(webhook) ?? []))
  if (plan.limit !== null && plan.used >= plan.limit * planShare) {
    findings.push(
      finding(plan.used >= plan.limit ? 'limitReached' : 'planLimit', {
        count: plan.used,
        of: plan.limit,
        until: isoOrNull(plan.reachedAt),
        what: plan.isCeiling ? 'ceiling' : null,
      }),
    )
  }
  if (open.unknown > 0) {
    findings.push(
      finding('unknownMessages', { count: open.unknown, isMore: open.isMore, since: isoOrNull(open.unknownSince) }),
    )
  }
  if (lately.failed >= failuresMin && lately.failed >= lately.messages * failureShare) {
    findings.push(finding('manyFailures', { count: lately.failed, of: lately.messages }))
  }
  if (state.backups) findings.push(...findingsOfBackups(state.backups, now))
  if (state.backups?.areMade === false) findings.push(finding('noBackups'))
  return findings.sort(byUrgency)
}

function* ofChannels({ now, channels, refused, stopped, receipts, lines, health, updates }: WorkspaceState) {
  if (channels.length === 0) yield finding('noChannel')
  else if (!lines.some(({ active }) => active))
    yield finding('noActiveLine', { subjects: channels.map(({ id }) => id) })
  for (const { id, accountId, createdAt } of channels) {
    const refusedSince = refused.get(id)
    if (refusedSince !== undefined) {
      const count = lines.filter(({ active, channelId }) => active && channelId === id).length
      yield finding('refusedToken', { subjects: [id, accountId], count, since: iso(refusedSince) })
    }
    const callbacks = callbackState(receipts.get(id))
    const about = { subjects: [id, accountId], what: callbacks.state, since: iso(createdAt) }
    if (callbacks.state === 'none') yield finding('callbacks', about)
    if (callbacks.state === 'refused') {
      const { refusal, refusedAt } = callbacks
      yield finding('callbacks', { ...about, what: refusal ?? 'refused', since: iso(refusedAt) })
    }
  }
  for (const { channelId, code, since } of stopped) {
    const accountId = channels.find(({ id }) => id === channelId)?.accountId ?? ''
    yield finding('stoppedLine', {
      subjects: [channelId, accountId],
      what: code === null ? null : String(code),
      since: iso(since),
    })
  }
  for (const shared of sharingAccounts(channels)) {
    yield finding('sharedAccount', { subjects: shared.map(({ id }) => id), count: shared.length })
  }
  for (const [subject, told] of updates) {
    const line = lines.find(({ id }) => id === subject)
    const channelId = line?.channelId ?? subject
    for (const update of told) {
      const { kind: what, at } = update
      const restriction = restrictionOf(update)
      if (restriction) {
        const { until } = restriction
        const takenAt = (line && health.get(line.id)?.deliveredAt) ?? 0
        const isOver = until === null ? now - at > updateMsMax : until <= now
        const name = line ? lineName(line) : (channels.find(({ id }) => id === channelId)?.accountId ?? '')
        const about = { subjects: [channelId, name], what: restriction.what, since: iso(at), until: isoOrNull(until) }
        if (!isOver && takenAt <= at) yield finding('restricted', about)
        continue
      }
      if (line && isFlag(update)) continue
      const isBan = stopped.some(stop => stop.channelId === channelId && stop.code === null && stop.since === at)
      if (now - at <= updateMsMax && !isBan && !notFound.some(kind => what.startsWith(kind)))
        yield finding('update', { subjects: [channelId], what, since: iso(at) })
    }
  }
}

const isFlag = ({ kind, detail }: UpstreamUpdate) =>
  kind === 'phone_number_quality_update' && text(field(detail, 'event')) === 'FLAGGED'

/** The upstream flags a number whose quality is low, and the listing has the quality as of the last hour. */
function* ofQuality({ now, lines, updates }: WorkspaceState) {
  for (const line of lines.filter(({ active }) => active)) {
    const { id, channelId, quality } = line
    const flag = (updates.get(id) ?? []).find(update => isFlag(update) && now - update.at <= updateMsMax)
    if (!flag && quality !== 'RED') continue
    const since = isoOrNull(flag?.at ?? null)
    yield finding('lowQuality', { subjects: [channelId, lineName(line)], what: flag ? 'FLAGGED' : quality, since })
  }
}

function* ofSends({ now, lines, backlogs, health, refused, stopped }: WorkspaceState) {
  const choice = chooseLine(lines, null)
  if (!choice.ok && choice.refusal.reason === 'PHONE_NUMBER_REQUIRED') {
    const active = lines.filter(({ active }) => active)
    const subjects = [...new Set(active.map(({ channelId }) => channelId))]
    yield finding('noDefaultLine', { subjects, count: active.length })
  }
  for (const line of lines) {
    const { id, channelId } = line
    const { state, sent = 0, failed = 0, cause } = health.get(id) ?? {}
    // Else the account is told, which says why.
    const isTold = refused.has(channelId) || stopped.some(stop => stop.channelId === channelId)
    if (state !== 'fails' || failed < lineFailuresMin || isTold) continue
    const what = cause ? causeWords(cause) : null
    yield finding('failingLine', { subjects: [id, lineName(line)], count: failed, of: sent, what })
  }
  const own = backlogs.filter(({ lineId }) => lines.some(({ id }) => id === lineId))
  const since = Math.min(...own.map(({ oldestAt }) => oldestAt ?? now))
  if (now - since > waitMsMax) {
    yield finding('backlog', { count: own.reduce((sum, { waiting }) => sum + waiting, 0), since: iso(since) })
  }
}

function* ofTemplates({ now, templates, pauses, lines }: WorkspaceState) {
  for (const { id, name, language, channelId, status, updatedAt, lastUpdateAt } of shownTemplates(templates)) {
    const line = lines.find(line => line.channelId === channelId)
    const since = iso(lastUpdateAt ?? updatedAt)
    const about = { subjects: [line?.id ?? '', id, name, language], what: status, since }
    if (status !== 'PAUSED') yield finding('template', about)
    else {
      const { reason = null, until = null } = pauses.get(id) ?? {}
      const end = until !== null && until > now ? iso(until) : null
      yield finding('pausedTemplate', { ...about, what: reason, until: end })
    }
  }
  const more = badOnes(templates).length - templatesMax
  if (more > 0) yield finding('template', { count: more, isMore: true })
}

function* ofKeys({ now, keys, lines }: WorkspaceState) {
  const living = keys.filter(key => keyWorks(key, now))
  if (living.length === 0) yield finding('noKey')
  for (const { id, label, lineIds } of living) {
    const isOfNone = lineIds !== null && !lines.some(line => lineIds.includes(line.id))
    if (isOfNone) yield finding('keyWithoutLine', { subjects: [id, label ?? id] })
  }
  for (const { id, label, expiresAt } of living.filter(key => endsSoon(key, living, now))) {
    yield finding('endingKey', { subjects: [id, label ?? id], until: isoOrNull(expiresAt) })
  }
  const old = living.filter(({ createdAt }) => now - createdAt > keyAgeMsMax)
  if (old.length === 0) return
  const since = iso(Math.min(...old.map(({ createdAt }) => createdAt)))
  yield finding('oldKeys', { subjects: old.map(({ id }) => id), count: old.length, since })
}

/** One that was rotated is to end: only when it is used nevertheless, somebody has to act. */
function endsSoon(key: ApiKey, keys: readonly ApiKey[], now: EpochMs): boolean {
  if (key.expiresAt === null || key.expiresAt - now > keyEndMsMax) return false
  const successors = keys.filter(({ scope, createdAt }) => scope === key.scope && createdAt > key.createdAt)
  const rotatedAt = Math.min(...successors.map(({ createdAt }) => createdAt))
  return successors.length === 0 || (key.lastUsedAt ?? 0) > rotatedAt
}

/** @returns what is found of the gateway's own backups, which no workspace has */
export function* findingsOfBackups({ status, due }: Pick<KnownBackups, 'status' | 'due'>, now: EpochMs) {
  const problem = backupProblem(status, due, now)
  if (problem === null) return
  const since = iso(problem.since)
  const isOfUpload = problem.kind === 'uploadFails' || problem.kind === 'uploadLate'
  yield finding(isOfUpload ? 'lateUpload' : 'lateBackup', {
    since,
    what: 'reason' in problem ? problem.reason : null,
  })
}

/** @returns what is said of the last upgrade of the gateway: nothing is wrong */
export const findingOfUpgrade = (upgrade: LastUpgrade): AttentionFinding =>
  finding('upgraded', { subjects: [upgrade.from, upgrade.to], what: upgradeText(upgrade) })

/** @returns null for an endpoint that works, or that a person switched off */
function findingOf(webhook: WebhookEndpoint): AttentionFinding | null {
  const { id, url, description, disabledAt, disabledReason, failingSince } = webhook
  const subjects = [id, description ?? url]
  switch (webhookState(webhook)) {
    case 'off':
      if (disabledReason === 'switchedOff') return null
      return finding('webhookOff', { subjects, what: disabledReason, since: isoOrNull(disabledAt) })
    case 'failing':
      return finding('webhookFailing', { subjects, since: isoOrNull(failingSince) })
    case 'works':
    case 'untried':
      return null
  }
}
