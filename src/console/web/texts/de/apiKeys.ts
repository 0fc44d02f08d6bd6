import type { apiKeys as english } from '../en/apiKeys.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('de')

/** API keys. */
export const apiKeys = isolating<WordsOf<typeof english>>({
  title: 'API-Schlüssel',
  description: 'Ein Backend meldet sich mit Schlüssel und Geheimnis an.',
  more: 'So wirken Schlüssel',
  furtherDescription:
    'Ein Schlüssel darf senden und alles lesen, was an den Arbeitsbereich geschrieben wird, ' +
    'wenn er nicht auf weniger beschränkt ist. Nur Inhaber und Admins sehen diese Seite.',
  create: 'Schlüssel anlegen',
  label: 'Bezeichnung',
  labelHint: 'Wer oder was ihn benutzt: Produktion, Staging, der Shop.',
  unlabelled: 'Ohne Bezeichnung',
  scopes: 'Darf',
  scopesHint:
    'Wählen Sie so wenig, wie nötig ist. Das kann später nicht geändert werden; ein rotierter Schlüssel behält es.',
  everything: 'Alles außer Webhooks, dem Ändern von Vorlagen und vorhandenen Clients',
  chooseOne: 'Wählen Sie mindestens eines.',
  lines: 'Leitungen',
  linesHint: 'Er sendet nur von diesen und sieht nur, was zu ihnen gehört. Auch das kann später nicht geändert werden.',
  allLines: 'Alle Leitungen, auch künftige',
  onlyLines: numbers => `Nur ${numbers}`,
  scopeNames: {
    'messages:send': 'Nachrichten senden',
    'messages:read': 'gesendete Nachrichten lesen',
    'templates:read': 'Vorlagen auflisten',
    'templates:write': 'Vorlagen ändern',
    'events:read': 'Ereignisse lesen',
    inbound: 'lesen, was Personen schreiben',
    'contacts:read': 'Kontakte finden',
    'contacts:write': 'Kontakte ändern',
    media: 'Dateien hochladen und holen',
    webhooks: 'Webhooks ändern',
    graph: 'vorhandene Clients zulassen',
    'graph:pass': 'andere Aufrufe der Plattform machen',
  },
  scopeMeanings: {
    'messages:send': 'Nachrichten senden.',
    'messages:read': 'Lesen, was aus Nachrichten wurde, und sie auflisten.',
    'templates:read': 'Genehmigte Vorlagen auflisten.',
    'templates:write': 'Vorlagen anlegen, ändern und löschen, durch vorhandene Clients.',
    'events:read': 'Alle Ereignisse lesen, auch was Personen schreiben.',
    inbound:
      'Lesen, was Personen schreiben, es als gelesen markieren und, durch vorhandene Clients, Personen blockieren.',
    'contacts:read': 'Kontakte finden, mit ihren Nummern.',
    'contacts:write': 'Kontakte hinzufügen, von Werbung ab- und wieder anmelden, sperren und entsperren.',
    media: 'Dateien zum Senden hochladen, empfangene holen und, durch vorhandene Clients, beide löschen.',
    webhooks: 'Webhooks anlegen, ändern und entfernen: wohin Ereignisse gehen, auch was Personen schreiben.',
    graph: 'Clients der Plattform mit diesem Gateway sprechen lassen, mit einem Token für Schlüssel und Geheimnis.',
    'graph:pass': 'Ihnen jeden anderen Aufruf der Plattform für ihre Leitungen und Konten erlauben, nach deren Regeln.',
  },
  expires: 'Läuft ab',
  expiresHint: 'Ein Schlüssel, der nie abläuft, gilt, bis er gesperrt wird.',
  expiryChoices: { never: 'Nie', '30': 'In 30 Tagen', '90': 'In 90 Tagen', '365': 'In einem Jahr' },
  networks: 'Erlaubte Netze',
  networksHint: 'Adressen oder CIDR-Netze, eines je Zeile. Leer: Anfragen von überall.',
  key: 'Schlüssel',
  state: 'Zustand',
  age: 'Alter',
  thisMonth: 'Dieser Monat',
  notCounted: 'Noch nicht gezählt',
  lastUsed: 'Zuletzt benutzt',
  days: count => plural(count, '1 Tag', `${count} Tage`),
  used: 'Benutzt',
  neverUsed: 'Nie benutzt',
  old: 'Älter als 90 Tage: Rotieren Sie ihn.',
  oldKeys: count =>
    `${plural(count, 'Ein Schlüssel ist', `${count} Schlüssel sind`)} älter als 90 Tage. ` +
    'Rotieren: Der alte Schlüssel gilt, bis seine Frist endet.',
  states: { works: 'Gilt', ends: 'Endet', expired: 'Abgelaufen', revoked: 'Gesperrt' },
  none: 'Es gibt keinen API-Schlüssel',
  noneHint: 'Legen Sie einen an, und Ihr Backend kann die erste Nachricht senden.',
  showEnded: 'Gesperrte und abgelaufene zeigen',
  created: 'Schlüssel angelegt',
  createdHint:
    'Kopieren Sie das Geheimnis jetzt. Gespeichert ist nur sein Hash: Es kann nicht noch einmal gezeigt werden.',
  apiKey: 'apiKey',
  apiSecret: 'apiSecret',
  graphToken: 'Token für vorhandene Clients',
  curl: 'Ausprobieren',
  curlHint: 'Es liest mit dem neuen Schlüssel und sendet nichts.',
  curlCommand: 'curl-Befehl',
  copied: 'Ich habe das Geheimnis kopiert',
  rotate: 'Rotieren',
  rotateTitle: label => `${label} rotieren`,
  rotateHint:
    'Legt einen neuen Schlüssel an, der dasselbe darf. Beide teilen Idempotenzschlüssel, ' +
    'sodass inzwischen nichts zweimal gesendet wird.',
  grace: 'Der alte Schlüssel gilt noch',
  limits: 'Grenzen ändern',
  revoke: 'Sperren',
  revokeTitle: label => `${label} sperren?`,
  revokeQuestion:
    'Er wird ab der nächsten Anfrage abgelehnt. Das kann nicht rückgängig gemacht werden. ' +
    'Nachrichten, die er sandte, bleiben.',
})
