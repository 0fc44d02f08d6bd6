import { campaigns as words } from '../../texts/en/campaigns.ts'
import { texts } from '../../texts/texts.ts'

const all: Readonly<Record<string, string>> = { ...texts.messages.statuses, ...words.statuses }

/** Where an item is, or its message. @param isBegun the campaign was started: before that nobody waits */
export const itemWord = (status: string, isBegun = true): string =>
  status === 'WAITING' && !isBegun ? words.willGet : (all[status] ?? status)
