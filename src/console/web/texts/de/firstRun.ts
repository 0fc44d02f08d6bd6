import type { firstRun as english } from '../en/firstRun.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** From nothing to the first delivered message. */
export const firstRun = isolating<WordsOf<typeof english>>({
  title: 'Erste Schritte',
  description:
    'Sechs Schritte, bis Ihr Programm Nachrichten sendet und erfährt, was aus ihnen wird. ' +
    'Diese Liste bleibt, bis alle getan sind.',
  navigation: (done, all) => `Erste Schritte: ${done}\u00a0von\u00a0${all}`,
  done: 'Erledigt',
  next: 'Als Nächstes',
  later: 'Zu tun',
  allDone:
    'Alles getan: Die erste Nachricht wurde zugestellt, Ihr Programm kann senden, und es erfährt, was geschieht.',
  toOverview: 'Zur Übersicht',
  nextIs: step => `Als Nächstes: ${step}`,
  go: 'Weiter mit den ersten Schritten',
  needed: {
    member: 'Ein Mitglied des Arbeitsbereichs kann das tun.',
    admin: 'Ein Admin des Arbeitsbereichs kann das tun.',
  },
  channel: {
    title: 'Kanal',
    hint: 'Verbindet das Konto der Messaging-Plattform und prüft dabei das Token.',
    connect: 'Konto verbinden',
    sandbox: 'Sandbox benutzen',
    sandboxHint:
      'Die Plattform dieses Gateways ist die Sandbox. ' +
      'Ein Klick verbindet ihr Konto, eine Leitung und ihre Vorlagen; keine Nachricht erreicht ein Telefon.',
    callbacks:
      'Noch kommen keine Callbacks. Öffnen Sie den Kanal und abonnieren Sie sie: ' +
      'Sie melden den Status von Nachrichten.',
    open: 'Kanäle öffnen',
  },
  line: {
    title: 'Leitung',
    hint: 'Eine Telefonnummer des Kontos, von der Nachrichten gesendet werden.',
    add: 'Fügen Sie auf der Seite des Kanals eine Leitung hinzu.',
    open: 'Leitungen öffnen',
  },
  templates: {
    title: 'Vorlagen',
    hint:
      'Eine Nachricht an jemanden, der in den letzten 24 Stunden nicht schrieb, muss eine genehmigte Vorlage sein. ' +
      'Waypost lädt sie von selbst.',
    open: 'Vorlagen öffnen',
  },
  message: {
    title: 'Erste Nachricht',
    open: 'Nachrichten öffnen',
    hint: 'Sendet eine Ihrer genehmigten Vorlagen mit ihren Beispielen an eine Nummer: ohne ein Programm.',
    notApproved:
      'Noch ist keine Vorlage genehmigt. Waypost sieht alle paar Minuten nach; dann kann hier gesendet werden.',
  },
  key: {
    title: 'API-Schlüssel',
    hint: 'Mit ihm sendet Ihr Programm Nachrichten und liest, was aus ihnen wurde.',
    open: 'API-Schlüssel öffnen',
    create: 'Schlüssel anlegen',
    label: 'Erster Schlüssel',
    command: 'Befehl, der eine Nachricht sendet',
    commandHint: 'Ihr Programm tut dasselbe wie dieser Befehl. Versuchen Sie ihn in einem Terminal:',
    secretHint: 'Der Befehl enthält das Geheimnis, das nur einmal gezeigt wird. Bewahren Sie es sicher auf.',
  },
  webhook: {
    title: 'Webhook',
    hint: 'Sagt Ihrem Programm, was geschieht: Eine Nachricht kam an oder scheiterte, jemand schrieb.',
    own: 'Während Sie es schreiben, bringt „waypost listen --forward-to“ die Ereignisse auf Ihren eigenen Rechner.',
    open: 'Webhooks öffnen',
    add: 'Ziel hinzufügen',
  },
})
