import { isolating } from '../isolated.ts'
/** Connecting an account. */
export const connect = isolating({
  title: 'Connect an account',
  description:
    'You need the account id, an access token and the app secret. ' +
    'Token and secret are stored encrypted and never shown again.',
  guideTitle: 'Where to find them',
  guideLink: 'Step by step, in the guide',
  guide: [
    'Open the Meta App Dashboard, and choose your app (its type is Business).',
    'WhatsApp, API Setup: copy the WhatsApp Business Account ID.',
    'Business settings, System users: generate a token with whatsapp_business_messaging and ' +
      'whatsapp_business_management, without an expiry.',
    'App settings, Basic: copy the App secret, and the App ID.',
  ],
  accountId: 'Account id',
  accountIdHint: 'WhatsApp Business Account ID: digits.',
  accessToken: 'Access token',
  accessTokenHint: 'From a system user. A temporary token expires after a day.',
  appSecret: 'App secret',
  appSecretHint: 'Verifies callbacks, so that only the platform can report a delivery.',
  appId: 'App id',
  appIdHint: 'Optional: needed for templates with a file in the header.',
  addLines: 'Add the account’s phone numbers as lines',
  submit: 'Check and connect',
  againTitle: 'Replace its secrets?',
  againQuestion: (accountId: string) =>
    `The account ${accountId} is connected already. ` +
    'Its access token and app secret are replaced by these; its lines stay.',
  again: 'Replace them',
  checked: 'The token is tested on the account before anything is stored.',
  secretRule: 'One word without spaces.',
  digitsRule: 'Digits only.',
  requiredRule: 'Required.',
} as const)

/** The page of one channel. */
export const channel = isolating({
  check: 'Check',
  accessTitle: 'Access',
  accessHint: 'The secrets are stored encrypted. They can be replaced, but never read.',
  accountOk: 'The access token works for the account.',
  accountBad: 'The access token does not work: its lines send nothing. Replace the access token.',
  platformSays: (message: string) => `What came back: ${message}`,
  subscription: {
    here: 'The platform sends callbacks to this gateway.',
    nowhere: 'The platform sends no callbacks. Subscribe them.',
    elsewhere: 'The platform sends callbacks to another address:',
    unknown: 'The platform does not say where callbacks go.',
  },
  noLine: (number: string) => `Not a line yet: ${number}`,
  add: 'Add',
  callbackTitle: 'Callbacks',
  callbackHint:
    'Callbacks report the status of messages, and what users write. ' +
    'Subscribe them with one click, or show the verify token and copy both values to the Meta App Dashboard: ' +
    'WhatsApp, Configuration, Webhook.',
  callbackUrl: 'Callback URL',
  verifyToken: 'Verify token',
  showVerifyToken: 'Show the verify token',
  noPublicUrl: 'The gateway has no public address',
  noPublicUrlHint:
    'So callbacks cannot be subscribed. ' +
    'Who runs the gateway sets PUBLIC_URL to its https:// address, where the platform can reach it, and restarts it.',
  subscribe: 'Subscribe callbacks',
  subscribed: (url: string) => `Callbacks arrive at ${url}.`,
  cutOff: (ids: string) => `Callbacks of the same account no longer reach ${ids}.`,
  setToken: 'Replace the access token',
  setAppSecret: 'Replace the app secret',
  setAppId: 'Set the app id',
  replaceAppId: 'Replace the app id',
  replace: 'Replace',
  disconnectTitle: 'Disconnect',
  disconnectHint: 'Removes the channel for good, with its lines, templates and secrets. Its messages stay.',
  disconnect: 'Disconnect the account',
  disconnectQuestion: 'Its lines stop sending at once. Remove its callback address from the platform afterwards.',
  opened: (count: string, isMore: boolean) =>
    `People written to first in the last 24 hours, as far as is known: ${isMore ? 'at least ' : ''}${count}. ` +
    'The limit counts those of the whole portfolio.',
  addLine: 'Add a line',
  lineNumber: 'Number',
  lineNumberHint: 'With its country code: +49 30 123456.',
  upstreamPhoneId: 'Phone number id of the platform',
  upstreamPhoneIdHint: 'In the Meta App Dashboard: WhatsApp, API Setup, Phone number ID.',
} as const)

/** What can be done with a line. */
export const line = isolating({
  copyId: 'Copy line id',
  makeDefault: 'Make it the default',
  noDefault: 'No longer the default',
  noDefaultNext:
    'Messages that name no line are sent from the only active one; if there are several, they are refused.',
  activate: 'Activate',
  deactivate: 'Deactivate',
  deactivateQuestion: (number: string) => `${number} stops sending. Messages that were accepted are still sent.`,
  name: 'Change the name',
  label: 'Name',
  labelHint: 'Shown beside the number wherever a line is chosen: Berlin. Empty: the number alone.',
  rate: 'Change the pace',
  directSend: 'Allow Direct Send',
  directSendNext:
    'Sends with a category go out without a template and without the 24-hour window, and are charged as templates. ' +
    'The platform has to have enabled it, and restricts accounts that misuse it.',
  noDirectSend: 'Refuse Direct Send',
  noDirectSendNext: 'Sends with a category are refused from now on.',
  perSecond: 'Messages a second',
  perSecondHint: 'The platform allows a new line 80. 0: no pacing.',
  pairSeconds: 'Seconds between messages to one recipient',
  pairSecondsHint: 'The platform allows one in 6 seconds. 0: no pacing.',
  remove: 'Remove',
  removeTitle: (number: string) => `Remove ${number}?`,
  removeQuestion: 'It is removed for good. Its messages can still be read.',
} as const)
