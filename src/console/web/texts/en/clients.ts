import { isolating } from '../isolated.ts'
import { shell } from './shell.ts'

/** Clients that were written for the platform (docs/drop-in.md). */
export const clients = isolating({
  title: shell.titles.clients,
  description:
    'Inboxes, bots and scripts that were written for the WhatsApp Cloud API speak to this gateway, ' +
    'once they have its address and a token.',
  line: 'Line',
  off: 'Existing clients are answered once this gateway is started with GRAPH_API=on.',
  guide: 'Guide to existing clients',

  addressTitle: 'Address and ids',
  addressHint: 'These are the ids that the platform gave.',
  address: 'Address',
  accountId: 'Account id',
  phoneNumberId: 'Phone number id',

  tokenTitle: 'Key and token',
  tokenHint: 'The token belongs to a key, and is shown once: when the key is created, and when it is rotated.',
  tokenNeeds: 'Owners and admins of the workspace see the list, and create keys.',
  noKeys: 'No key with a token may use this line.',

  callbackTitle: 'Callbacks',
  callbackHint:
    'Add an endpoint with the address and the verify token that the client shows. ' +
    'Where the client asks for an app secret, give it the endpoint’s secret.',
  noEndpoints: 'No endpoint of this kind gets callbacks of this line.',

  writeTitle: 'What to write where',
  writeHint: 'Write your token where wp_… stands.',
  ownCode: 'Your own code',
  /** What is to know beside the code, by client. */
  hints: {
    Chatwoot:
      'Newer versions also need a file, which is in the guide. ' +
      'Then add the inbox by hand, not by embedded signup: with both ids, and the token as API key. ' +
      'It shows the address and the verify token of its callbacks, or adds them itself.',
    Typebot: 'Its key also needs the scope webhooks: Typebot looks whether its app gets callbacks.',
    '@chat-adapter/whatsapp': 'The adapter of Chat SDK. Its appSecret is the secret of the endpoint of its callbacks.',
    ownCode:
      'The address stands in place of https://graph.facebook.com, with a version behind it or without, ' +
      'and the token in place of that of the platform.',
  } as Readonly<Record<string, string>>,
} as const)
