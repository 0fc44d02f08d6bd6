import { campaigns as words } from '../../texts/en/campaigns.ts'
import { texts } from '../../texts/texts.ts'

const all: Readonly<Record<string, string>> = { ...texts.messages.statuses, ...words.statuses }

/** Where an item is, or its message. */
export const itemWord = (status: string): string => all[status] ?? status
