import type { optOuts as english } from '../en/optOuts.ts'
import { isolating, type WordsOf } from '../isolated.ts'

export const optOuts = isolating<WordsOf<typeof english>>({
  title: 'Abmeldungen',
  save: 'Abmeldungen speichern',
  hint: 'Mit welchen Wörtern sich Personen von Werbung abmelden, und was aus Werbung an sie wird.',
  onOptOut: 'Werbevorlagen an Personen, die keine wollen',
  onOptOutHint:
    'Es gilt die Kategorie, in der die Plattform sie jetzt führt. Ein API-Schlüssel kann eine eigene Regel haben.',
  choices: { refuse: 'Werden abgelehnt', send: 'Werden gesendet' },
  asWorkspace: 'Wie im Arbeitsbereich',
  stopWords: 'Wörter, die abmelden',
  stopWordsHint: 'Mit Kommas dazwischen. Eines zählt als ganze Nachricht, groß oder klein. Leer: kein Wort meldet ab.',
  startWords: 'Wörter, die das zurücknehmen',
  startWordsHint: 'Sie zählen auf dieselbe Weise.',
  answer: 'Antwort an alle, die sich mit einem Wort abmelden',
  answerHint: 'Eine gewöhnliche Nachricht, einmal gesendet. Leer: keine.',
  noAnswer: 'Keine',

  refusedHint:
    'Dieser Arbeitsbereich lehnt Werbung an Personen ab, die keine wollen. Ein Admin entscheidet das in den ' +
    'Einstellungen.',
  toSettings: 'Einstellungen',

  sources: {
    platform: () => 'Der Plattform gesagt',
    word: word => `Schrieb „${word}“`,
    member: by => `Durch ${by}`,
    key: by => `Durch API-Schlüssel ${by}`,
    operator: () => 'Durch einen Befehl',
  },
  acts: {
    stop: {
      label: 'Von Werbung abmelden…',
      title: 'Diese Person von Werbung abmelden?',
      question: 'Für Personen, die anders darum baten. Andere Nachrichten erreichen sie weiter.',
      confirm: 'Von Werbung abmelden',
    },
    resume: {
      label: 'Zu Werbung anmelden…',
      title: 'Diese Person wieder anmelden?',
      question:
        'Nur, wenn die Person darum bat. Was sie der Plattform gesagt hat, bleibt, und die richtet sich danach.',
      confirm: 'Zu Werbung anmelden',
    },
  },
})
