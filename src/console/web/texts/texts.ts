import { apiKeys } from './en/apiKeys.ts'
import { channels } from './en/channels.ts'
import { common } from './en/common.ts'
import { contacts } from './en/contacts.ts'
import { conversations } from './en/conversations.ts'
import { errors } from './en/errors.ts'
import { firstRun } from './en/firstRun.ts'
import { keyboard } from './en/keyboard.ts'
import { messages } from './en/messages.ts'
import { overview } from './en/overview.ts'
import { palette } from './en/palette.ts'
import { account, members } from './en/people.ts'
import { requests } from './en/requests.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
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
