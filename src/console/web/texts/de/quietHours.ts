import type { quietHours as english } from '../en/quietHours.ts'
import { isolating, type WordsOf } from '../isolated.ts'

export const quietHours = isolating<WordsOf<typeof english>>({
  title: 'Ruhezeiten',
  save: 'Ruhezeiten speichern',
  hint: 'Werbevorlagen warten bis zum Morgen der Person, nach dem Land ihrer Nummer.',
  isOn: 'Werbevorlagen warten in diesen Stunden',
  from: 'Von',
  to: 'Bis',
  days: 'An welchen Tagen sie beginnen',
  timeZone: 'Zeitzone',
  timeZoneHint: 'Für alle, deren Nummer kein Land mit nur einer Zeit nennt.',
  isForUtility: 'Auch Vorlagen der Kategorie Utility warten',
  none: 'Keine',
})
