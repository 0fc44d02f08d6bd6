import type { ErrorExample } from './errorExample.ts'

/*
 * The refusals of changes of contacts, as `errorExamples.ts` has those of all calls.
 */

type Examples = Readonly<Record<string, ErrorExample>>
type Operation = NonNullable<ErrorExample['operation']>

/** @param issue makes an example of one problem */
export const malformed = (
  issue: (operation: Operation, summary: string, path: string, message: string) => ErrorExample,
): Examples => ({
  added: issue(
    'addContact',
    'No country code',
    '/phone',
    'begins with 0, as it is dialled inside its country: write it as it is dialled from abroad, + and country code ' +
      'first',
  ),
  blocked: issue('setBlocked', 'Nothing is said', '/blocked', 'is required'),
})

export const conflict: Examples = {
  forgottenPerson: {
    operation: 'setBlocked',
    summary: 'Nobody is left of it',
    message: 'The contact was forgotten: nobody knows whom to block.',
  },
}

export const channelError: Examples = {
  notBlocked: {
    operation: 'setBlocked',
    status: 400,
    summary: 'Refused: the person has not written lately',
    message:
      'The person was not blocked on +15550783881, because only who has written to the line within 24 hours can be ' +
      'blocked.',
    details: {
      code: 131047,
      subcode: null,
      title: 'Re-engagement message',
      details: null,
      traceId: null,
      retryable: false,
    },
  },
  notBlockedYet: {
    operation: 'setBlocked',
    status: 502,
    summary: 'No answer: ask again',
    message:
      'The person was not blocked on +15550783881, because the platform said: The upstream platform gave no answer.',
    details: {
      code: null,
      subcode: null,
      title: 'The upstream platform gave no answer',
      details: null,
      traceId: null,
      retryable: true,
    },
  },
}

export const busy: Examples = {
  busyBlocking: {
    operation: 'setBlocked',
    summary: 'Not able to accept',
    message: 'Too many people are being blocked. Nothing was accepted; try again shortly.',
  },
}
