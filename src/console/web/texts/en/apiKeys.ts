import type { KeyScope } from '../../../../base/keyScopes.ts'
import { isolating } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('en')

/** API keys. */
export const apiKeys = isolating({
  title: 'API keys',
  description:
    'A backend signs in with a key and its secret. ' +
    'A key may send, and read everything that users write to the workspace, unless it is limited to less. ' +
    'Only owners and admins see this page.',
  create: 'Create a key',
  label: 'Label',
  labelHint: 'Who or what uses it: production, staging, the shop.',
  unlabelled: 'Without a label',
  scopes: 'May do',
  scopesHint: 'Choose the least that its user needs. This cannot be changed later; a rotated key keeps it.',
  everything: 'Everything but webhooks, changed templates and existing clients',
  chooseOne: 'Choose at least one.',
  lines: 'Lines',
  linesHint: 'It sends from these alone, and sees only what belongs to them. This cannot be changed later either.',
  allLines: 'All lines, also those to come',
  onlyLines: (numbers: string) => `Only ${numbers}`,
  scopeMeanings: {
    'messages:send': 'Send messages.',
    'messages:read': 'Read what became of messages, and list them.',
    'templates:read': 'List the approved templates.',
    'templates:write': 'Create, change and delete templates, by existing clients.',
    'events:read': 'Read all events, also what users write.',
    inbound: 'Read what users write, mark it as read, and, by existing clients, block users.',
    'contacts:read': 'Find contacts, with their numbers.',
    'contacts:write': 'Opt contacts out of marketing, and in.',
    media: 'Upload files to send, fetch what users sent, and, by existing clients, delete both.',
    webhooks: 'Add, change and remove webhooks: where events go, also what users write.',
    graph: 'Let clients of the platform speak to this gateway, with one token for key and secret.',
    'graph:pass': 'Let them make any other call of the platform for their lines and accounts, by its own rules.',
  } satisfies Record<KeyScope, string>,
  expires: 'Expires',
  expiresHint: 'A key that never expires works until it is revoked.',
  expiryChoices: { never: 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' },
  networks: 'Allowed networks',
  networksHint: 'Addresses or CIDR networks, one a line. Empty: requests from anywhere.',
  anyNetwork: 'From anywhere',
  key: 'Key',
  state: 'State',
  age: 'Age',
  thisMonth: 'This month',
  notCounted: 'Not counted yet',
  messages: (count: number) => plural(count, 'message this month', 'messages this month'),
  lastUsed: 'Last used',
  used: 'used',
  neverUsed: 'Never used',
  days: (count: number) => plural(count, '1 day', `${count} days`),
  old: 'Older than 90 days: rotate it.',
  oldKeys: (count: number) =>
    `${plural(count, 'A key is', `${count} keys are`)} older than 90 days. ` +
    'Rotate: the old key works until its grace period ends.',
  states: { works: 'Works', ends: 'Ends', expired: 'Expired', revoked: 'Revoked' },
  none: 'There is no API key.',
  noneHint: 'Create one, and your backend can send the first message.',
  showEnded: 'Show revoked and expired keys',
  created: 'Key created',
  createdHint: 'Copy the secret now. Only its hash is stored: it cannot be shown again.',
  apiKey: 'apiKey',
  apiSecret: 'apiSecret',
  graphToken: 'Token for existing clients',
  curl: 'Try it',
  curlHint: 'It reads with the new key, and sends nothing.',
  curlCommand: 'curl command',
  copied: 'I have copied the secret',
  rotate: 'Rotate',
  rotateTitle: (label: string) => `Rotate ${label}`,
  rotateHint:
    'Creates a new key that may do the same. Both share idempotency keys, so nothing is sent twice meanwhile.',
  grace: 'The old key works for',
  limits: 'Change the limits',
  revoke: 'Revoke',
  revokeTitle: (label: string) => `Revoke ${label}?`,
  revokeQuestion: 'It is refused from the next request on. This cannot be undone. Messages that it sent stay.',
} as const)
