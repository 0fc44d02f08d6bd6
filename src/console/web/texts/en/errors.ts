/** What went wrong, and what to do about it. */
export const errors = {
  title: 'This did not work',
  unreachable: 'The gateway cannot be reached.',
  unreachableRemedy: 'Check that it runs and that this machine is connected, then try again.',
  signedOut: 'Your session has ended. Sign in again.',
  unreadable: 'The answer cannot be read. A proxy in front of the gateway may have sent it.',
  /** By the error code of the answer. Without an entry, the answer's own message says all. */
  remedies: {
    UNAUTHORIZED: 'Sign in again.',
    NOT_FOUND: 'It may have been removed, or it belongs to another workspace.',
    RATE_LIMIT_EXCEEDED: 'Wait a little, then try again.',
    INTERNAL_ERROR: 'The log of the gateway has the cause under the request id.',
    PAGE_ERROR: 'Reload the page. If it happens again, report it to those who run this gateway.',
    SERVICE_UNAVAILABLE: 'Wait a little, then try again.',
  } as Readonly<Record<string, string>>,
} as const
