import { isolating } from '../isolated.ts'
/** Choosing a time to send at. */
export const later = isolating({
  soon: 'In one hour',
  at: 'Date and time',
  zone: (name: string) => `In your time zone: ${name}`,
  bounds: (from: string, until: string) => `Choose a time from ${from} to ${until}`,
  windowEnds: 'The 24 hours end',
  window: 'After that only a template goes out, unless the person writes again.',
  confirm: 'Schedule',
} as const)
