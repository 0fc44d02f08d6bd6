/** From nothing to the first delivered message. */
export const firstRun = {
  title: 'First steps',
  description: 'Five steps to the first delivered message. This list stays until all are done.',
  navigation: (done: number, all: number) => `First steps: ${done} of ${all}`,
  done: 'Done',
  next: 'Next',
  later: 'To do',
  allDone: 'All done: the first message was delivered.',
  toOverview: 'Go to the overview',
  adminNeeded: 'An admin of the workspace can do this.',
  workspace: {
    title: 'Workspace',
    hint: 'It holds your channels, keys, messages and members.',
  },
  channel: {
    title: 'Channel',
    hint: 'Connects the account of the messaging platform, with a live check of the token.',
    connect: 'Connect an account',
    sandbox: 'Use the sandbox',
    sandboxHint:
      'The upstream platform of this gateway is the sandbox. One click connects its account, a line and its templates; no message reaches a phone.',
    callbacks: 'No callbacks arrive yet. Open the channel and subscribe them: they report the status of messages.',
    open: 'Open the channels',
  },
  line: {
    title: 'Line',
    hint: 'A phone number of the account, from which messages are sent.',
    add: 'Add a line on the page of the channel.',
    open: 'Open the channels',
  },
  templates: {
    title: 'Templates',
    hint: 'A message to somebody who has not written in the last 24 hours must be an approved template. Waypost loads them automatically.',
    open: 'Open the templates',
  },
  message: {
    title: 'Key and first message',
    hint: 'Your backend signs in with an API key. Create one, and send a message with the command below.',
    create: 'Create a key',
    keyLabel: 'First key',
    phone: 'Your phone number',
    phoneHint: 'With its country code. It gets the message.',
    command: 'command that sends a message',
    commandHint: 'Paste it into a terminal:',
    secretHint: 'The command contains the secret, which is shown only once. Keep it in a safe place.',
    hasKey: 'There is a key, whose secret was shown once: use it, or create another key here.',
    waiting: 'Waiting for the delivery…',
    notApproved:
      'No template is approved yet: the command sends a text, which reaches only those who wrote to you before.',
  },
} as const
