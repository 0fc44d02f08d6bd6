import { isolating } from '../isolated.ts'
/** When nobody is written to first. */
export const quietHours = isolating({
  title: 'Quiet hours',
  save: 'Save quiet hours',
  hint: 'Marketing templates wait until the morning of the person, by the country of its number.',
  isOn: 'Marketing templates wait during these hours',
  from: 'From',
  to: 'To',
  days: 'On which days they begin',
  timeZone: 'Time zone',
  timeZoneHint: 'Of everybody whose number does not tell a country with one time.',
  isForUtility: 'Templates of the category utility wait too',
  none: 'None',
} as const)
