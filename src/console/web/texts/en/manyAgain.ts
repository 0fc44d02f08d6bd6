import { isolating } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('en')

/** Failed messages that are sent again, many at once. */
export const manyAgain = isolating({
  open: 'Send again…',
  title: 'Send failed messages again?',
  offer: (count: number, shown: string) =>
    plural(
      count,
      'One message failed and can be sent again, as it was.',
      `${shown} messages failed and can be sent again, as they were.`,
    ),
  none: 'None of these messages can be sent again.',
  counts: 'Each is a new message, which counts against the monthly limit. However often you press, each is sent once.',
  noRates: 'What they cost is not known here: there are no rates.',
  more: 'These are the newest that fit the filters. Look again for the others once they are sent.',
  leftOutTitle: 'Left out',
  leftOut: {
    again: (count: number) => plural(count, 'One was sent again already', `${count} were sent again already`),
    unknown: (count: number) => plural(count, 'One may have arrived', `${count} may have arrived`),
    waiting: (count: number) => plural(count, 'One still waits', `${count} still wait`),
    notFailed: (count: number) => plural(count, 'One did not fail', `${count} did not fail`),
    recipient: (count: number) =>
      plural(count, 'One failed because of its recipient', `${count} failed because of their recipients`),
    notStored: (count: number) =>
      plural(count, 'The content of one is no longer stored', `The contents of ${count} are no longer stored`),
  },
  send: (count: number, shown: string) => plural(count, 'Send this one again', `Send these ${shown} again`),
  progress: (done: string, of: string) => `${done} of ${of} sent`,
  sent: (count: number, shown: string) => plural(count, 'One message was sent again.', `${shown} were sent again.`),
  refusedTitle: (count: number, shown: string) => plural(count, 'One was refused', `${shown} were refused`),
  refused: (count: string, why: string) => `${count} × ${why}`,
} as const)
