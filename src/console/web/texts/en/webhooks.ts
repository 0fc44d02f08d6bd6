import { isolating } from '../isolated.ts'
import { pluralOf } from '../plural.ts'
import { shell } from './shell.ts'

const plural = pluralOf('en')

/** Webhooks: where the workspace's events are delivered. */
export const webhooks = isolating({
  title: shell.titles.webhooks,
  description:
    'Waypost posts what happens to your own server, signed as Standard Webhooks: ' +
    'a message was delivered, a user wrote.',
  add: 'Add an endpoint',
  none: 'There is no endpoint',
  noneHint:
    'Add the address of your server, and it gets each event within a second. Events are also a list of the API.',
  noneViewer: 'Owners and admins can add one.',
  one: 'Webhook',
  endpoint: 'Endpoint',
  id: 'Endpoint id',
  url: 'Address',
  urlHint: 'Where your program takes posts, as in https://example.com/hook.',
  name: 'Description',
  nameHint: 'What it is for, as it is shown in lists.',
  format: 'Format',
  formatHint: 'What your program reads. It stays as it is: for another one, add another endpoint.',
  formats: {
    events: 'Events of this gateway',
    platform: 'Callbacks of the platform',
  },
  more: 'More: events, lines, headers',
  verifyToken: 'Verify token',
  verifyTokenHint:
    'What your program expects: it shows one, or you make one here and set it there first. ' +
    'It is asked once, now, whether the address is right. Its app secret is the secret of the endpoint.',
  makeVerifyToken: 'Make one',
  events: 'Events',
  eventsHint: 'The usual ones are all but message.queued and template.reported, which have to be chosen.',
  allOf: { events: 'All usual events', platform: 'All about messages and payments' },
  platformEventsHint: 'Name one that is about no message only to a program that reads it: some break on it.',
  lines: 'Lines',
  linesHint: 'Events about messages of other lines are left out.',
  allLines: 'All lines',
  headers: 'Own headers',
  headersHint: 'One a line, as in “Authorization: Bearer …”. They are stored sealed, and not shown again.',
  headersKept: 'What you write replaces those that are set; empty, they stay.',
  headersDropped:
    'The address is new: the headers that are set were meant for the old one, and are removed. ' +
    'Write those of the new one.',
  headersRemove: 'Remove the headers that are set',
  headersForm: 'Write one header a line, as in “Authorization: Bearer …”.',
  hasHeaders: 'Set',
  state: 'State',
  all: 'All',
  ms: (count: string) => `${count} ms`,
  states: { works: 'Works', failing: 'Failing', off: 'Off', untried: 'Nothing yet' },
  lastDelivered: 'Delivered last',
  lastFailed: 'Failed last',
  created: 'Added',
  types: (count: number) => plural(count, '1 type', `${count} types`),
  since: 'Since',
  required: 'Enter an address.',
  chooseEvents: 'Choose at least one type.',
  chooseLines: 'Choose at least one line.',

  secrets: { events: 'Secret', platform: 'Secret, which your program calls app secret' },
  secretTitle: 'Endpoint added',
  secretHint: 'Copy the secret now: your server checks the signatures with it. It cannot be shown again.',
  rotatedTitle: 'There is a new secret',
  formerUntil: 'The old secret signs too until',
  formerEnded: 'The old secret signs no longer.',
  copied: 'I have copied the secret',

  edit: 'Edit',
  rotate: 'Rotate the secret',
  rotateHint: 'Makes a new secret. Meanwhile each request has both signatures, so that your server can change over.',
  rotateAtOnce:
    'Makes a new secret. It alone signs at once, because the platform knows one signature: give it to your program.',
  grace: 'The old secret signs for',
  switchOff: 'Switch off',
  switchOffQuestion: 'Nothing is delivered any more. On again, it goes on where it stopped.',
  switchOn: 'Switch on',
  switchOnQuestion: 'It goes on where it stopped: what happened meanwhile is delivered now.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeQuestion: 'Its secret and the record of its deliveries go with it. This cannot be undone.',

  offTitle: {
    switchedOff: 'This endpoint is switched off.',
    gone: 'This endpoint is off: it answered 410, so it wants no events any more.',
    failing: 'This endpoint is off: it failed for five days.',
    secretLost: 'This endpoint is off: its secret was sealed with a key that is lost.',
  },
  offHint: 'Nothing is lost: on again, it goes on where it stopped, as far as events are kept.',
  offLostHint: 'Rotate the secret, tell your server the new one, and switch it on.',
  failingTitle: 'The last attempt failed.',
  failingHint:
    'Open a delivery below for what your server answered, mend it there, and choose Replay. ' +
    'Each event is tried ten times, in about three days. After five days of failures alone it is switched off.',
  untriedHint:
    'Nothing was delivered yet, or nothing since it was switched on. ' +
    'Send a test event to see whether your server takes it.',

  test: 'Send a test event',
  testHint: 'An example, signed like each event, whose id begins with evt_test. It is sent once, and stored nowhere.',
  tests: 'Test events',
  testsHint: 'What was sent from this tab. They are no deliveries: the state above does not change with them.',
  testType: 'Type',
  testSend: 'Send',
  testWorked: (status: number, ms: string) => `Your server took it: ${status} after ${ms}.`,
  testRefused: (status: number, ms: string) =>
    `Your server answered ${status} after ${ms}. Only 200 to 299 is success.`,
  testLost: (why: string) => `There was no whole answer: ${why}`,
  answer: 'Answer',
  noAnswer: 'The answer was empty.',

  lately: 'Last deliveries',
  capacity: 'Can take',
  capacityOf: (perSecond: string, ms: string) => `estimated ${perSecond} events a second, with answers within ${ms} ms`,
  latelyOf: {
    delivered: (count: number) => `${count} delivered`,
    pending: (count: number) => `${count} to try again`,
    failed: (count: number) => `${count} failed`,
  },
  noneLately: 'None yet',
  deliveries: 'Deliveries',
  deliveriesHint: 'An event that was not tried yet is not in the list.',
  noDeliveries: 'Nothing was delivered yet.',
  noneOfState: 'There is none in this state.',
  showState: 'Show',
  deliveryStates: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  event: 'Event',
  type: 'Type',
  attempts: 'Attempts',
  lastAttempt: 'Last attempt',
  nextAttempt: 'Next attempt',
  noNext: 'None',
  whenOn: 'When it is on again',
  status: 'Answer',
  duration: 'Took',
  firstBytes: 'First bytes of the answer',
  attemptsKept: 'The last attempts; older ones are counted only.',
  delivery: 'Delivery',
  deliveryHints: {
    pending: 'It is tried again by itself, up to ten times in about three days.',
    delivered: '',
    failed:
      'It is not tried again by itself. Read below what your server answered, mend it there, and deliver it again.',
  },
  about: 'About',
  aboutMessage: 'The message',
  aboutContact: 'The contact who wrote',
  eventId: 'Event id',
  body: 'Body',
  bodyOf: (type: string) => `body of ${type}`,
  bodyHint: 'As it is sent with an attempt now.',
  bodyGone: 'The event is not kept any more.',

  replay: 'Replay',
  replayTitle: 'Deliver events again',
  replayHint: 'Your server gets them with the same ids, which tell it that it had them before.',
  replayWhat: 'What',
  replayChoices: { failed: 'What failed or still waits', all: 'All events' },
  replaySince: 'Since',
  replaySinceChoices: { '1': 'An hour ago', '24': 'A day ago', '168': 'A week ago', '720': '30 days ago' },
  replayed: (count: string, isOne: boolean) =>
    isOne ? '1 event is delivered again.' : `${count} events are delivered again.`,
  replayedNone: 'There is nothing to deliver again.',
  replayOne: 'Deliver again',
  replayedOff: 'It is delivered once the endpoint is on.',
} as const)
