import type { channels as english } from '../en/channels.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Channels and lines. */
export const channels = isolating<WordsOf<typeof english>>({
  title: 'Kanäle und Leitungen',
  description:
    'Ein Kanal ist die Verbindung zu einem Konto der Messaging-Plattform. ' +
    'Seine Leitungen sind die Nummern, von denen Sie senden.',
  connect: 'Konto verbinden',
  lines: 'Leitungen',
  accountNamed: accountId => `Konto ${accountId}`,
  manage: 'Verwalten',
  callbacks: 'Callbacks',
  connected: 'Verbunden',
  secretsChanged: 'Geheimnisse gesetzt',
  number: 'Nummer',
  state: 'Zustand',
  pace: 'Tempo',
  channel: 'Kanal',
  phoneNumberId: 'Leitungs-ID',
  lately: 'Zuletzt',
  qualities: { GREEN: 'Qualität: gut', YELLOW: 'Qualität: mittel', RED: 'Qualität: niedrig' },
  qualityUnknown: 'Qualität noch nicht bekannt',
  newPeople: count => `${count} neue Personen am Tag`,
  newPeopleUnlimited: 'neue Personen unbegrenzt',
  noChannels: 'Kein Konto ist verbunden',
  noChannelsHint: 'Verbinden Sie das Konto der Messaging-Plattform, mit dem Ihre Nachrichten gesendet werden.',
  noChannelsViewer: 'Ein Admin des Arbeitsbereichs kann eines verbinden.',
  noLines: 'Es gibt keine Leitung',
  noLinesHint:
    'Eine Leitung ist eine Telefonnummer eines verbundenen Kontos. Fügen Sie eine hinzu, um von ihr zu senden.',
  inactive: 'Inaktiv',
  health: {
    works: 'Funktioniert',
    someFail: 'Einige scheitern',
    fails: 'Scheitert',
    quiet: 'Zuletzt nichts gesendet',
    failed: (failed, sent) => `${failed} der letzten ${sent} gescheitert:`,
    delivered: 'Letzte Zustellung',
  },
  default: 'Standard',
  directSend: 'Direct Send',
  unnamed: number => `Nachrichten, die keine Leitung nennen, gehen von ${number} aus.`,
  unnamedNone: 'Nachrichten, die keine Leitung nennen, werden abgelehnt: Machen Sie eine Leitung zum Standard.',
  templates: 'Vorlagen',
  clients: 'Vorhandene Clients',
  perSecond: count => (count === 0 ? 'Ohne Tempo' : `${count} je Sekunde`),
  pair: seconds => (seconds === 0 ? 'je Empfänger ohne Tempo' : `an einen Empfänger alle ${seconds} s`),
  callbackStates: { none: 'Noch keine', accepted: 'Empfangen', refused: 'Abgelehnt' },
  callbackHints: {
    none: 'Noch kam kein Callback, darum bleiben Nachrichten auf „Gesendet“. Abonnieren Sie die Callbacks.',
    unsigned: 'Der letzte Callback hatte keine Signatur, kam also nicht von der Plattform.',
    wrongSignature: 'Der letzte Callback war nicht mit diesem App-Geheimnis signiert. Setzen Sie das richtige.',
    lastGood: 'Zuletzt angenommen',
    lastRefused: 'Zuletzt abgelehnt',
  },
  updates: 'Neuigkeiten der Plattform',
})
