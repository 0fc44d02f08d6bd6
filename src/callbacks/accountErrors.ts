import type { ToldUpdate } from '../../db/contract/updates.ts'
import { accountErrorKind } from '../graph/accountErrors.ts'
import { alertOperator } from '../graph/alert.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import { isTemplateGone, needsOperator } from '../graph/codes.ts'
import type { Logger } from '../telemetry/log.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import type { CallbackContent } from './parse.ts'

interface AccountErrorParts {
  readonly log: Logger
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
}

/** A thousand entries of one body may have the same reason: each reason is acted on once, up to this many. */
const reasonsMax = 10

const reasonsOf = (faults: readonly (UpstreamFault | null)[]): UpstreamFault[] =>
  [
    ...new Map(
      faults.flatMap(fault => (fault ? [[`${fault.errorClass} ${fault.code}`, fault] as const] : [])),
    ).values(),
  ].slice(0, reasonsMax)

/** Failed messages of one body that are logged one by one; a callback may hold a thousand. */
const failuresLoggedMax = 20

/**
 * Acts on the errors of a callback: of messages, as on the same error in the answer to a send, and of the account.
 * Storing them is another step.
 */
export function actOnErrors(
  { log, templateRefresher }: AccountErrorParts,
  channelId: string,
  { statuses, faults, updates, skipped }: CallbackContent,
): void {
  const failed = statuses.filter(({ report }) => report.event.status === 'failed')
  for (const { report, fault } of failed.slice(0, failuresLoggedMax)) {
    const { messageId, event } = report
    const { channelMessageId, reason: why } = event
    log.warn({ channelId, messageId, channelMessageId, code: fault?.code, why }, 'message failed after it was accepted')
  }
  if (failed.length > failuresLoggedMax)
    log.warn({ channelId, leftOut: failed.length - failuresLoggedMax }, 'more messages failed after they were accepted')
  for (const fault of reasonsOf(statuses.map(({ fault }) => fault))) {
    alertOperator(log, { channelId }, fault)
    if (isTemplateGone(fault)) templateRefresher.request(channelId)
  }
  for (const fault of reasonsOf(faults)) {
    alertOperator(log, { channelId }, fault)
    const { code, title, details } = fault
    if (!needsOperator(fault))
      log.warn({ channelId, code, title, details }, 'account error reported by the upstream platform')
  }
  const accounts = updates.filter(isForOperator).slice(0, reasonsMax)
  for (const { kind, detail } of accounts) log.warn({ channelId, kind, detail }, 'account update')
  if (skipped > 0) log.warn({ channelId, skipped }, 'callback entries could not be read')
}

/** Not what users say, what was logged above, and what the listing, which is read again, says better. */
const isForOperator = ({ kind, about }: ToldUpdate) =>
  about.of !== 'contact' && !kind.startsWith(accountErrorKind) && !listedAnew.includes(kind)
const listedAnew = ['message_template_components_update', 'template_category_update']
