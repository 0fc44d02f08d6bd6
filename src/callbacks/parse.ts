import type { Inbound, Report } from '../../db/records.ts'
import { readInbound } from './inbound.ts'
import { field, list } from './json.ts'
import { readStatus } from './status.ts'
import { readTemplateNews, type TemplateNews } from './templateNews.ts'

export interface CallbackContent {
  readonly reports: Report[]
  readonly inbound: Inbound[]
  readonly templateNews: TemplateNews[]
  /** Entries that could not be read. */
  skipped: number
}

const templateField = 'message_template_status_update'

/**
 * Reads the envelope of a callback (upstream reference 9.4). Every entry is judged for itself: what is malformed is
 * counted and passed over, and never costs its neighbours.
 */
export function readCallback(payload: unknown, receivedAt: number): CallbackContent {
  const content: CallbackContent = { reports: [], inbound: [], templateNews: [], skipped: 0 }
  const keep = <T>(into: T[], read: T | null) => {
    if (read === null) content.skipped += 1
    else into.push(read)
  }
  for (const entry of list(field(payload, 'entry'))) {
    for (const change of list(field(entry, 'changes'))) {
      const value = field(change, 'value')
      if (field(change, 'field') === templateField) {
        keep(content.templateNews, readTemplateNews(entry, value, receivedAt))
        continue
      }
      for (const status of list(field(value, 'statuses'))) keep(content.reports, readStatus(status))
      for (const message of list(field(value, 'messages')))
        keep(content.inbound, readInbound(message, value, receivedAt))
    }
  }
  return content
}
