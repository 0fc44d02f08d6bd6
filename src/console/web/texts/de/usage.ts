import type { usage as english } from '../en/usage.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('de')

/** What counts against the monthly limit. */
export const usage = isolating<WordsOf<typeof english>>({
  title: 'Verbrauch',
  description: 'Was auf die Monatsgrenze zählt, und womit es gesendet wurde. Monate sind in UTC.',
  notRefused: 'Abgelehnte Nachrichten zählen nicht.',
  refused: (count, shown) => plural(count, 'Eine abgelehnte zählt nicht.', `${shown} abgelehnte zählen nicht.`),
  daysHint: 'Mit den abgelehnten Nachrichten.',
  chooseMonth: 'Monat',
  sent: count => plural(count, 'Nachricht', 'Nachrichten'),
  unit: 'Nachrichten',
  unlimited: count => plural(count, 'Nachricht, ohne Grenze', 'Nachrichten, ohne Grenze'),
  scheduled: (count, shown) => plural(count, 'eine geplant', `${shown} geplant`),
  forecast: day => `Beim Tempo der letzten Woche ist die Grenze am ${day} erreicht.`,
  resets: 'Neu gezählt wird ab',
  reached: 'Die Grenze ist erreicht: Bis dahin werden Sendungen abgelehnt.',
  months: 'Nach Monat',
  parts: {
    title: 'Nach Leitung, Vorlage und Schlüssel',
    by: 'Gezählt nach',
    kinds: { line: 'Leitungen', template: 'Vorlagen', key: 'API-Schlüssel' },
    one: { line: 'Leitung', template: 'Vorlage', key: 'API-Schlüssel' },
    none: { line: '', template: 'Text und interaktive Nachrichten', key: 'In der Konsole gesendet' },
    unnamed: 'Schlüssel ohne Namen',
    share: 'Anteil',
    ofAll: 'Von allen',
    counted: 'Gezählt bis',
    next: 'Nächste Zählung:',
    missing: (count, shown, all) =>
      plural(
        count,
        `Eine von ${all} Nachrichten ist noch nicht gezählt.`,
        `${shown} von ${all} Nachrichten sind noch nicht gezählt.`,
      ),
    hint:
      'Eine Nachricht wird 10 bis 20 Minuten nach ihrer Annahme gezählt, ' +
      'auch eine, die seither scheiterte oder gelöscht wurde.',
    empty: 'Keine Nachricht in diesem Monat',
  },
  prices: {
    title: 'Was die Plattform berechnet',
    hint: 'Von zugestellten Nachrichten.',
    noRates: 'Die Plattform nennt keine Beträge: Mit Ihren Preisen gibt es eine Schätzung.',
    adminGives: 'Ein Admin gibt sie in den Einstellungen an.',
    toRates: 'Preise in den Einstellungen',
    estimateHint: 'Die Schätzung folgt den Preisen vom',
    notTakenOff: 'Was die Plattform schenkt, ist nicht abgezogen.',
    withoutRate: (count, shown) =>
      plural(
        count,
        'Eine berechnete Nachricht hat keinen Preis.',
        `${shown} berechnete Nachrichten haben keinen Preis.`,
      ),
    partWithoutRate: count => `${count} ohne Preis`,
    cost: 'Kosten',
    chargedMessages: 'Berechnete Nachrichten',
    about: amount => `Etwa ${amount}`,
    charged: count => `${count} berechnet`,
    notCharged: count => `${count} nicht berechnet`,
    unreported: (count, shown) =>
      plural(
        count,
        'Für eine weitere hat die Plattform noch keinen Preis genannt.',
        `Für ${shown} weitere hat die Plattform noch keinen Preis genannt.`,
      ),
    addRates: 'Preise hinzufügen',
    by: 'Zusammengezählt nach',
    groupings: { category: 'Kategorie', country: 'Land', both: 'Beidem' },
    category: 'Kategorie',
    country: 'Land des Empfängers',
    billable: 'Berechnet',
    billableUnit: 'berechnet',
    free: 'Nicht berechnet',
    freeUnit: 'nicht berechnet',
    estimate: 'Schätzung',
    unknownCountry: 'Unbekannt',
    save: 'CSV nach Tagen',
    empty: 'Die Plattform hat in diesem Monat keinen Preis genannt',
    emptyHint: 'Sie tut es mit der Meldung einer Zustellung.',
    categories: {
      marketing: 'Marketing',
      utility: 'Utility',
      authentication: 'Authentifizierung',
      authentication_international: 'Authentifizierung, international',
      service: 'Kundenservice',
      marketing_lite: 'Marketing, lite',
      referral_conversion: 'Nach Klick auf Anzeige',
      group_marketing: 'Marketing in Gruppe',
      group_utility: 'Utility in Gruppe',
      group_service: 'Kundenservice in Gruppe',
      general_purpose_ai: 'KI-Assistent',
      other: 'Andere',
    },
  },
  messages: 'Nachrichten',
  days: 'Nachrichten je Tag',
  empty: 'Noch wurde nichts gesendet',
  emptyHint: 'Jede Nachricht, die die Plattform annimmt, zählt einmal, im Monat der Annahme durch das Gateway.',
})
