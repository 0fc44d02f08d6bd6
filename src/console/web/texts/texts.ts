import { apiKeys } from './en/apiKeys.ts'
import { audit } from './en/audit.ts'
import { channel, channels, connect, line } from './en/channels.ts'
import { common } from './en/common.ts'
import { contacts } from './en/contacts.ts'
import { conversations } from './en/conversations.ts'
import { entry } from './en/entry.ts'
import { errors } from './en/errors.ts'
import { firstRun } from './en/firstRun.ts'
import { gateway } from './en/gateway.ts'
import { keyboard } from './en/keyboard.ts'
import { messages } from './en/messages.ts'
import { overview } from './en/overview.ts'
import { palette } from './en/palette.ts'
import { account, members } from './en/people.ts'
import { requests } from './en/requests.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { templates } from './en/templates.ts'
import { usage } from './en/usage.ts'
import { webhooks } from './en/webhooks.ts'

/**
 * All words of the console, one file a subject. Pages take their words from here and nowhere else, so that another
 * language is another object of this type.
 */
export const texts = {
  account,
  audit,
  members,
  usage,
  overview,
  palette,
  messages,
  contacts,
  conversations,
  apiKeys,
  channel,
  channels,
  connect,
  line,
  common,
  entry,
  errors,
  firstRun,
  gateway,
  keyboard,
  requests,
  settings,
  shell,
  templates,
  webhooks,
}
