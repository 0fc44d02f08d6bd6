import { isolating } from '../isolated.ts'
/** From nothing to the first delivered message. */
export const firstRun = isolating({
  title: 'First steps',
  description:
    'Six steps until your program sends messages and hears what becomes of them. This list stays until all are done.',
  navigation: (done: number, all: number) => `First steps: ${done}\u00a0of\u00a0${all}`,
  done: 'Done',
  next: 'Next',
  later: 'To do',
  allDone: 'All done: the first message was delivered, your program can send, and it is told what happens.',
  toOverview: 'Go to the overview',
  nextIs: (step: string) => `Next: ${step}`,
  go: 'Continue with the first steps',
  needed: { member: 'A member of the workspace can do this.', admin: 'An admin of the workspace can do this.' },
  channel: {
    title: 'Channel',
    hint: 'Connects the account of the messaging platform, with a live check of the token.',
    connect: 'Connect an account',
    sandbox: 'Use the sandbox',
    sandboxHint:
      'The upstream platform of this gateway is the sandbox. ' +
      'One click connects its account, a line and its templates; no message reaches a phone.',
    callbacks: 'No callbacks arrive yet. Open the channel and subscribe them: they report the status of messages.',
    open: 'Open the channels',
  },
  line: {
    title: 'Line',
    hint: 'A phone number of the account, from which messages are sent.',
    add: 'Add a line on the page of the channel.',
    open: 'Open the lines',
  },
  templates: {
    title: 'Templates',
    hint:
      'A message to somebody who has not written in the last 24 hours must be an approved template. ' +
      'Waypost loads them automatically.',
    open: 'Open the templates',
  },
  message: {
    open: 'Open the messages',
    title: 'First message',
    hint: 'Sends one of your approved templates to a number, with its examples: no program is needed.',
    notApproved:
      'No template is approved yet. Waypost looks for one every few minutes; then a message can be sent here.',
  },
  key: {
    title: 'API key',
    hint: 'With it, your program sends messages and reads what became of them.',
    open: 'Open the API keys',
    create: 'Create a key',
    label: 'First key',
    command: 'command that sends a message',
    commandHint: 'Your program does the same as this command. Try it in a terminal:',
    secretHint: 'The command contains the secret, which is shown only once. Keep it in a safe place.',
  },
  webhook: {
    title: 'Webhook',
    hint: 'Tells your program what happens: a message was delivered or failed, a user wrote.',
    own: 'While you write it, “waypost listen --forward-to” brings the events to your own machine.',
    add: 'Add an endpoint',
    open: 'Open the webhooks',
  },
} as const)
