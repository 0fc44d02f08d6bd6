import type { TemplateChange } from '../platformTemplates.ts'
import { isPausable } from '../requests.ts'
import { pausable } from '../templates.ts'
import { tenants } from '../tenants.ts'
import { begin } from '../world.ts'
import { type Found, mayBeLost, told } from './found.ts'

/*
 * The template that the platform pauses, against what was sent of it.
 */

/**
 * @returns what the gateway has to know at a moment of the template of a workspace; null: it may believe either. It was
 *   told of the last change by then, which is later than any other by the platform's seconds, and did not forget it
 */
function knownAt(found: Found, workspaceId: string, at: number): TemplateChange['status'] | null {
  const { log, history } = found
  // Which of two changes is the later one is told by the time.
  if (history.acts.some(({ act }) => act.kind === 'time')) return null
  const own = log.templates.filter(({ tenant }) => tenants[tenant].workspaceId === workspaceId)
  const changes = own.filter(change => change.at <= at)
  const last = changes.at(-1)
  if (!last) return log.restores.length > 0 && own.length > 0 ? null : 'APPROVED'
  const { acknowledgedAt, status, timestamp } = last
  if (acknowledgedAt === null || acknowledgedAt >= at || mayBeLost(found, acknowledgedAt)) return null
  return changes.every(change => change === last || change.timestamp < timestamp) ? status : null
}

/** @returns what was known all the time between two moments; null: it changed, or may not be known */
function knownWhile(found: Found, workspaceId: string, from: number, until: number) {
  const { log } = found
  const isChanged = log.templates.some(
    ({ at, tenant }) => tenants[tenant].workspaceId === workspaceId && at > from && at <= until,
  )
  const isRestored = log.restores.some(({ at }) => at > from && at <= until)
  return isChanged || isRestored ? null : knownAt(found, workspaceId, from)
}

/** Once it is told that a template is paused, a send of it is refused; and not any more once that is taken back. */
export function* pausedIsRefused(found: Found) {
  for (const { asked, askedAt, at, status, code, message, isReplay } of told(found)) {
    const { form, tenant } = asked.order
    if (!isPausable(form) || status === null) continue
    const known = knownWhile(found, tenants[tenant].workspaceId, askedAt, at)
    // A refusal of the platform shows that it has left.
    const hasLeft = (message !== null && !isReplay) || code === 'CHANNEL_GRAPH_ERROR'
    if (known === 'PAUSED' && hasLeft) yield `${asked.text}: was taken, and its template is paused`
    if (known === 'APPROVED' && code === 'TEMPLATE_NOT_APPROVED')
      yield `${asked.text}: was refused for its template, which is approved`
  }
}

/** What is decided takes so long until it leaves, at most, but for what waits for its turn. */
const decidedMs = 15_000

/** What was asked or due after that does not leave, nor is what is left of a batch. */
export function* pausedStays(found: Found) {
  const { log, messages } = found
  for (const { messageId, text, template } of log.platform.offers) {
    const row = messages.get(messageId)
    if (!row || template !== pausable.name) continue
    const decidedAt = (row.releasedAt ?? row.createdAt) - begin
    const known = knownWhile(found, row.workspaceId, decidedAt - decidedMs, decidedAt)
    if (known === 'PAUSED') yield `${text}: left as ${messageId}, and its template had been paused`
  }
}

/** What is stored of it in the end is what was told last. */
export function* templateIsAsTold(found: Found) {
  const { log, rows } = found
  const stored = rows<{ workspaceId: string; status: string }>(
    `SELECT c.workspace_id AS workspaceId, t.status FROM templates t JOIN channels c ON c.id = t.channel_id
     WHERE t.name = ?`,
    pausable.name,
  )
  for (const { workspaceId, status } of stored) {
    const known = knownAt(found, workspaceId, log.simulatedMs)
    if (known !== null && known !== status)
      yield `the template of ${workspaceId} is ${status}, and was told as ${known}`
  }
}
