import { campaigns as words } from '../../texts/en/campaigns.ts'
import { texts } from '../../texts/texts.ts'

const all: Readonly<Record<string, string>> = { ...texts.messages.statuses, ...words.statuses }

/**
 * Where an item is, or its message.
 * @param isBegun it was started: until then some may turn out to get nothing
 */
export const itemWord = (status: string, isBegun = true): string =>
  status === 'WAITING' && !isBegun ? words.unsent : (all[status] ?? status)
