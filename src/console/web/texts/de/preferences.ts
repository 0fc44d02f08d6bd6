import type { preferences as english } from '../en/preferences.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** What a user prefers of the console. */
export const preferences = isolating<WordsOf<typeof english>>({
  title: 'Vorlieben',
  hint: 'Sie gelten auf jedem Gerät, auf dem Sie sich anmelden, und werden sofort gespeichert.',
  language: 'Sprache',
  languageHint: 'Die Seite wird darin neu geladen. Nachrichten bleiben, wie sie geschrieben wurden.',
  languageOfBrowser: 'Die des Browsers',
  enterSends: 'Enter-Taste in einer Unterhaltung',
  enterSendsHint:
    'Sendet Enter, beginnt Umschalt+Enter eine neue Zeile. Strg+Enter, auf einem Mac ⌘+Enter, sendet immer.',
  enterChoices: {
    auto: 'Sendet, außer auf dem Telefon',
    sends: 'Sendet',
    breaks: 'Beginnt eine Zeile',
  },
  notifications: 'Neue Nachrichten in Unterhaltungen melden',
  notificationsHint:
    'Durch Mitteilungen des Browsers, solange ein Tab der Konsole offen ist und Sie etwas anderes ansehen.',
  notificationChoices: { off: 'Aus', mine: 'In meinen', all: 'In allen' },
  sound: 'Mit einem Ton',
  notificationText: 'Zeigen, was geschrieben wurde',
  notificationTextHint: 'Sonst zeigen sie nur den Namen. Andere sehen vielleicht Ihren Bildschirm.',
  unavailable: 'Dieser Browser zeigt Mitteilungen nur, wo die Konsole eine https://-Adresse hat.',
  ask: 'Dieser Browser wurde noch nicht gefragt.',
  allow: 'In diesem Browser erlauben',
  denied: 'Dieser Browser lehnt Mitteilungen ab',
  deniedHint:
    'Er fragt nicht noch einmal. Erlauben Sie sie für diese Adresse in den Einstellungen des Browsers, ' +
    'und laden Sie dann die Seite neu.',
})
