import { alertOperator } from '../graph/alert.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import { isTemplateGone, needsOperator } from '../graph/codes.ts'
import type { Logger } from '../log.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import type { CallbackContent } from './parse.ts'

interface TroubleParts {
  readonly log: Logger
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
}

/** A thousand entries of one body may have the same reason: each is acted on once, and no more than these. */
const reasonsMax = 10

const reasonsOf = (faults: readonly (UpstreamFault | null)[]): UpstreamFault[] =>
  [
    ...new Map(
      faults.flatMap(fault => (fault ? [[`${fault.errorClass} ${fault.code}`, fault] as const] : [])),
    ).values(),
  ].slice(0, reasonsMax)

/**
 * Acts on what a callback tells of the upstream itself, beside what is stored: as the answer to a send would be acted on,
 * and so that nothing is taken without a word.
 */
export function actOnTrouble(
  { log, templateRefresher }: TroubleParts,
  channelId: string,
  { statuses, faults, unread, skipped }: CallbackContent,
): void {
  for (const fault of reasonsOf(statuses.map(({ fault }) => fault))) {
    alertOperator(log, { channelId }, fault)
    if (isTemplateGone(fault)) templateRefresher.request(channelId)
  }
  for (const fault of reasonsOf(faults)) {
    alertOperator(log, { channelId }, fault)
    const { code, title, details } = fault
    if (!needsOperator(fault)) log.warn({ channelId, code, title, details }, 'the upstream platform tells of trouble')
  }
  if (unread.size > 0) log.warn({ channelId, unread: [...unread] }, 'a callback had news that nobody reads')
  if (skipped > 0) log.warn({ channelId, skipped }, 'a callback had entries that could not be read')
}
