import { apiKeys } from './en/apiKeys.ts'
import { channels } from './en/channels.ts'
import { common, errors } from './en/common.ts'
import { contacts } from './en/contacts.ts'
import { conversations } from './en/conversations.ts'
import { firstRun } from './en/firstRun.ts'
import { messages } from './en/messages.ts'
import { overview } from './en/overview.ts'
import { account, members } from './en/people.ts'
import { requests } from './en/requests.ts'
import { settings } from './en/settings.ts'
import { keyboard, palette, shell } from './en/shell.ts'
import { usage } from './en/usage.ts'

/**
 * The words of the frame and of what several pages share, one file a subject, loaded with the first page. What only the
 * pages of one subject say, they import from its file: it is loaded with them.
 */
export const texts = {
  account,
  members,
  usage,
  overview,
  palette,
  messages,
  contacts,
  conversations,
  apiKeys,
  channels,
  common,
  errors,
  firstRun,
  keyboard,
  requests,
  settings,
  shell,
}

/** The document names the language of its words. Tests have no document, and English words. */
const { document } = globalThis as { readonly document?: { readonly documentElement: { readonly lang: string } } }
const spoken = document?.documentElement.lang ?? 'en'

/**
 * The language of the texts, in which dates and numbers are written too: as in the reader's country, where the browser
 * names one that speaks it.
 */
export const language: string =
  globalThis.navigator?.languages?.find(tag => tag.split('-')[0] === spoken.split('-')[0]) ??
  (spoken === 'en' ? 'en-GB' : spoken)

/** @returns it as a sentence begins */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
