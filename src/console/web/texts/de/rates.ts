import type { rates as english } from '../en/rates.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('de')

/** The rates of a workspace, by which Usage estimates what messages cost. */
export const rates = isolating<WordsOf<typeof english>>({
  title: 'Preise der Plattform',
  hint:
    'Die Plattform sagt, was sie berechnet, aber keine Beträge. ' +
    'Mit Ihrer Preisliste zeigt der Verbrauch eine Schätzung.',
  none: 'Noch gibt es keine Preise.',
  kept: (count, shown, currencies) => `${plural(count, 'Ein Preis', `${shown} Preise`)} in ${currencies}, seit`,
  toUsage: 'Schätzung ansehen',
  add: 'Preise hinzufügen',
  replace: 'Preise ersetzen',
  remove: 'Preise entfernen',
  removeTitle: 'Preise entfernen?',
  removeHint: 'Der Verbrauch zeigt dann keine Schätzungen mehr. Die Zählungen bleiben.',
  choose: 'CSV-Datei wählen',
  file: 'Preise',
  fileHint:
    'Eine Zeile je Land (zwei Buchstaben, oder * für alle anderen) und Kategorie, mit einem Punkt im Preis. ' +
    'Dieselbe Datei liest „waypost costs --rates“.',
  missing: 'Wählen Sie eine Datei, oder fügen Sie ihre Zeilen ein',
  save: 'Preise speichern',
})
