import type { AuditAction } from '../../../../../db/rules/audited.ts'
import { isolating } from '../isolated.ts'
import { shell } from './shell.ts'

/** What is changed, as sentences name it: with its name, and when it is there no more or never had one. */
const subjects = {
  key: { known: 'the key', gone: 'a key that was removed' },
  channel: { known: 'the account', gone: 'an account that was disconnected' },
  line: { known: 'the line', gone: 'a line that was removed' },
  template: { known: 'the template', gone: 'a template that was removed' },
  webhook: { known: 'the webhook', gone: 'a webhook that was removed' },
  contact: { known: 'the contact', gone: 'a contact that was forgotten' },
  message: { known: 'the message to', gone: 'a message that was deleted' },
  user: { known: '', gone: 'somebody who has left' },
  invitation: { known: '', gone: 'somebody whose invitation is not open any more' },
} as const

/** The name of the subject stands at `{noun}`. */
type Sentence = string | `${string}{${keyof typeof subjects}}${string}`

/** All but what is done to the gateway as a whole: that is in the audit of no workspace. */
type Action = Exclude<AuditAction, 'secrets.replace' | 'secrets.rotate' | 'user.offer-setup' | 'database.restore'>

/** What was done, after the name of who did it. An action without its sentence is a type error. */
const sentences: Readonly<Record<Action, Sentence>> = {
  'workspace.create': 'made the workspace',
  'workspace.rename': 'renamed the workspace',
  'workspace.set-limit': 'changed the monthly limit of the workspace',
  'workspace.set-ceiling': 'changed the monthly limit that the owners may set at most',
  'workspace.set-deleted': 'changed what is read of deleted messages',
  'workspace.put-away': 'put away something that needed attention',
  'workspace.bring-back': 'brought something back that needs attention',
  'workspace.remove': 'removed the workspace',
  'channel.connect': 'connected {channel}',
  'channel.disconnect': 'disconnected {channel}',
  'channel.set-app-id': 'changed the app id of {channel}',
  'channel.replace-accessToken': 'replaced the access token of {channel}',
  'channel.replace-appSecret': 'replaced the app secret of {channel}',
  'channel.replace-verifyToken': 'replaced the verify token of {channel}',
  'line.add': 'added {line}',
  'line.activate': 'activated {line}',
  'line.deactivate': 'deactivated {line}',
  'line.default': 'made {line} the default: sends that name no line use it',
  'line.no-default': 'decided that {line} is not the default any more',
  'line.set-rate': 'changed the pace of {line}',
  'line.label': 'named {line}',
  'line.remove-label': 'took the name of {line} away',
  'line.allow-direct-send': 'switched Direct Send on for {line}',
  'line.forbid-direct-send': 'switched Direct Send off for {line}',
  'line.remove': 'removed {line}',
  'key.create': 'made {key}',
  'key.rotate': 'rotated {key}',
  'key.limit': 'changed the limits of {key}',
  'key.revoke': 'revoked {key}',
  'user.create': 'made the account of {user}',
  'user.set-up': 'set up the gateway as its first user',
  'user.rename': 'changed the own name',
  'user.change-password': 'changed the own password',
  'user.reset-password': 'gave {user} a new password',
  'user.reset': 'made a link by which {user} chooses a new password',
  'user.add-second-factor': 'set up an authenticator app',
  'user.use-recovery-code': 'used a recovery code in place of the authenticator app',
  'user.replace-recovery-codes': 'made new recovery codes',
  'user.remove-second-factor': 'removed the authenticator app of {user}',
  'member.invite': 'invited {invitation}',
  'member.withdraw-invitation': 'withdrew the invitation of {invitation}',
  'member.join': 'joined the workspace',
  'member.make-viewer': 'made {user} a viewer',
  'member.make-member': 'made {user} a member',
  'member.make-admin': 'made {user} an admin',
  'member.make-owner': 'made {user} an owner',
  'member.remove': 'removed {user} from the workspace',
  'session.start': 'signed in',
  'session.end': 'signed out',
  'session.end-all': 'signed out everywhere',
  'session.end-others': 'ended all other sign-ins of the account',
  'session.reused': 'was signed out, because a copy of the sign-in was used',
  'template.create': 'made {template}',
  'template.edit': 'edited {template}',
  'template.delete': 'deleted {template}',
  'template.sync': 'read the templates of {channel} from the platform',
  'template.upload-example': 'uploaded an example for a template of {channel}',
  'template.send-test': 'sent a template as a test: {message}',
  'webhook.add': 'added {webhook}',
  'webhook.change': 'changed {webhook}',
  'webhook.enable': 'switched {webhook} on',
  'webhook.disable': 'switched {webhook} off',
  'webhook.rotate': 'rotated the secret of {webhook}',
  'webhook.replay': 'had events delivered again to {webhook}',
  'webhook.remove': 'removed {webhook}',
  'conversation.finish': 'marked the conversation with {contact} as done',
  'conversation.reopen': 'opened the conversation with {contact} again',
  'conversation.take': 'took the conversation with {contact}',
  'conversation.give': 'gave the conversation with {contact} to somebody else',
  'conversation.give-back': 'gave back the conversation with {contact}',
  'contact.add': 'added {contact}',
  'contact.forget': 'erased {contact}',
  'message.resolve': 'settled {message}',
  'message.send': 'sent {message} from the conversation',
  'message.send-again': 'sent {message} once more',
  'message.send-elsewhere': 'sent {message} once more, to another number or from another line than before',
}

/** The part of an action before its point. */
type Noun<Action> = Action extends `${infer Before}.${string}` ? Before : never

const kinds: Readonly<Record<Noun<Action>, string>> = {
  session: 'Sign-ins',
  key: 'API keys',
  template: 'Templates',
  message: 'Messages',
  contact: 'Contacts',
  conversation: 'Who has which conversation',
  channel: 'Accounts',
  line: 'Lines',
  webhook: 'Webhooks',
  member: 'Members and invitations',
  user: 'Users and passwords',
  workspace: 'The workspace',
}

/** The fields whose old and new values are kept. */
const fields: Readonly<Record<string, string>> = {
  name: 'Name',
  monthlyMessageLimit: 'Messages a month',
  monthlyCeiling: 'Messages a month at most',
  deletedMessages: 'Deleted messages',
  appId: 'App id',
  perSecond: 'Messages a second',
  pairSeconds: 'Seconds between two to one recipient',
  expiresAt: 'Expires',
  allowedNetworks: 'Networks',
  role: 'Role',
  url: 'Address',
  description: 'Name',
  types: 'Events',
  lineIds: 'Lines',
  message: 'Message',
  takenBy: 'Taken by',
}

/** What no value means, by field. */
const unset: Readonly<Record<string, string>> = {
  monthlyMessageLimit: 'no limit',
  monthlyCeiling: 'no limit',
  expiresAt: 'never',
  allowedNetworks: 'any',
  types: 'all',
  lineIds: 'all',
  takenBy: 'nobody',
}

/** Who changed what. */
export const audit = isolating({
  title: shell.titles.audit,
  description: 'Who changed what, and who signed in. Kept for 400 days.',
  at: 'Time',
  what: 'What happened',
  id: 'Id',
  by: 'Who',
  commands: 'Commands on the machine',
  byCommand: (name: string) => `${name} (by a command)`,
  kind: 'What',
  since: 'From',
  until: 'To',
  onlyThis: 'Only what was done to this',
  change: (field: string, from: string, to: string) => `${field}: ${from} → ${to}`,
  empty: 'none',
  none: 'Nothing was changed yet.',
  noneHint: 'Each change of a key, a template, a member or a setting is kept here, with who made it.',
  noneFiltered: 'Nothing fits the filters.',
  noneFilteredHint: 'Choose another day, or clear the filters.',
  subjects,
  sentences,
  kinds,
  fields,
  unset,
} as const)
