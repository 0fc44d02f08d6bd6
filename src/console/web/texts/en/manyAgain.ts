import { isolating } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('en')

/** Failed messages that are sent again, many at once. */
export const manyAgain = isolating({
  title: 'Send failed messages again?',
  offer: (count: number, shown: string) =>
    plural(count, 'One failed and can be sent again.', `${shown} failed and can be sent again.`),
  none: 'None of these can be sent again.',
  counts:
    'Each is a new message, as it was, and counts against the monthly limit. It is sent once, however often you press.',
  noRates: 'What they cost is not known here: there are no rates.',
  cost: (sum: string) => `At the rates in the settings they cost about ${sum}, if all are charged.`,
  withoutRate: (count: number, shown: string) => plural(count, 'One has no rate.', `${shown} have no rate.`),
  more: 'These are the newest that fit the filters. Look again for the others once they are sent.',
  leftOutTitle: 'Left out',
  leftOut: {
    again: (count: number) => plural(count, 'One was sent again already', `${count} were sent again already`),
    unknown: (count: number) => plural(count, 'One may have arrived', `${count} may have arrived`),
    waiting: (count: number) => plural(count, 'One still waits', `${count} still wait`),
    notFailed: (count: number) => plural(count, 'One did not fail', `${count} did not fail`),
    recipient: (count: number) =>
      plural(count, 'One failed because of its recipient', `${count} failed because of their recipients`),
    values: (count: number) =>
      plural(
        count,
        'The values of one do not fit: open it and change them',
        `The values of ${count} do not fit: open them and change the values`,
      ),
    optedOut: (count: number) =>
      plural(count, 'One is marketing to who wants none', `${count} are marketing to who wants none`),
    notStored: (count: number) =>
      plural(count, 'The content of one is no longer stored', `The contents of ${count} are no longer stored`),
  },
  send: (count: number, shown: string) => plural(count, 'Send this one again', `Send these ${shown} again`),
  progress: (done: string, of: string) => `${done} of ${of} sent`,
  sent: (count: number, shown: string) => plural(count, 'One message was sent again.', `${shown} were sent again.`),
  refused: (count: string, why: string) => `${count} refused: ${why}`,
} as const)
