import type { StoreReads } from '../../db/contract/store.ts'
import type { EpochMs } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import { openBatchesMax } from '../message/batches.ts'
import { dayOf } from '../message/counts.ts'
import { numbersByDay, ratesOf } from '../message/dayNumbers.ts'
import { limitReachedAt, monthOf } from '../message/plan.ts'
import { latestMessages, lineHealth } from '../operations/channels/lineHealth.ts'
import { refusedTokens } from '../operations/channels/refusedTokens.ts'
import { stoppedLines } from '../operations/channels/stoppedLines.ts'
import { type StatusReason, statusReason } from '../templates/reason.ts'
import { shownTemplates, type WorkspaceState } from './attention.ts'

/** Open messages are counted up to this number; beyond it, people are told "more than". */
const openMax = 1_000
/** Days by which "many failures" is judged. */
const latelyDays = 7

/** @returns the last days in UTC, oldest first, today included */
export const lastDays = (now: EpochMs, count: number): string[] =>
  Array.from({ length: count }, (_, at) => dayOf(now - (count - 1 - at) * dayMs))

/**
 * Reads what the findings of a workspace follow from, for the command and the console alike.
 * @param days whose numbers the caller shows; at least those that are judged are read
 * @returns the state, but for what only the process that sends knows; and what else was read
 */
export async function readWorkspaceState(
  read: StoreReads,
  { workspaceId, now, days = 0 }: { readonly workspaceId: string; readonly now: EpochMs; readonly days?: number },
) {
  const counted = lastDays(now, Math.max(days, latelyDays + 1))
  const [workspace, counts, open, plan, lines, channels, receipts, keys, templates, webhooks, batches] =
    await Promise.all([
      read.workspace(workspaceId),
      read.dailyCounts({ workspaceId, since: counted[0] ?? dayOf(now) }),
      read.openMessages({ workspaceId, max: openMax }),
      read.plan({ workspaceId, month: monthOf(now) }),
      read.lines(workspaceId),
      read.channels(workspaceId),
      read.callbackReceipts(),
      read.keys(workspaceId),
      read.templates({ workspaceId, approved: false }),
      read.webhooks(workspaceId),
      read.batches({ workspaceId, after: null, limit: openBatchesMax }),
    ])
  const latest = await latestMessages(read, workspaceId, lines)
  const subjects = [...channels, ...lines].map(({ id }) => id)
  const updates = new Map(await Promise.all(subjects.map(async id => [id, await read.updates(id)] as const)))
  const pauses = new Map<string, StatusReason>()
  for (const template of shownTemplates(templates).filter(({ status }) => status === 'PAUSED')) {
    const reason = statusReason(template, await read.updates(template.id))
    if (reason) pauses.set(template.id, reason)
  }
  const lately = ratesOf(numbersByDay(counts, lastDays(now, latelyDays)))
  const state: Omit<WorkspaceState, 'backlogs' | 'backups'> = {
    ...{ now, channels, lines, keys, templates, pauses, webhooks, open, updates },
    pausedBatches: batches.filter(({ state, reason }) => state === 'paused' && reason !== null),
    refused: refusedTokens(latest, channels),
    stopped: stoppedLines(latest, lines, channels, updates),
    health: new Map(
      lines.filter(({ active }) => active).map(line => [line.id, lineHealth(line, latest, channels, now)]),
    ),
    receipts: new Map(receipts.map(receipt => [receipt.channelId, receipt])),
    plan: {
      ...plan,
      reachedAt: limitReachedAt(plan, numbersByDay(counts, counted), now),
      isCeiling: plan.limit !== null && plan.limit === workspace?.monthlyCeiling,
    },
    lately: { messages: lately.messages, failed: lately.failed },
  }
  return { state, latest, counts }
}
