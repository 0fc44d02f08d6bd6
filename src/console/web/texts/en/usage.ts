/** What counts against the monthly limit. */
export const usage = {
  title: 'Usage',
  description: 'What counts against the monthly limit. Months are in UTC; refused messages do not count.',
  thisMonth: 'This month',
  ofLimit: (used: string, limit: string) => `${used} of ${limit} messages`,
  unlimited: (used: string) => `${used} messages, without a limit`,
  resets: 'Counting starts again',
  reached: 'The limit is reached: sends are refused until then.',
  months: 'By month',
  month: 'Month',
  messages: 'Messages',
  days: 'Messages per day',
  empty: 'Nothing was sent yet',
  emptyHint: 'Each message that the platform accepts counts once, in the month when the gateway accepted it.',
} as const
