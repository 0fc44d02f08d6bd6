import type { later as english } from '../en/later.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Choosing a time to send at. */
export const later = isolating<WordsOf<typeof english>>({
  soon: 'In einer Stunde',
  at: 'Datum und Uhrzeit',
  zone: name => `In Ihrer Zeitzone: ${name}`,
  bounds: (from, until) => `Wählen Sie eine Zeit von ${from} bis ${until}`,
  windowEnds: 'Die 24 Stunden enden am',
  window: 'Danach geht nur eine Vorlage hinaus, außer die Person schreibt wieder.',
  confirm: 'Planen',
})
