import type { overview as english } from '../en/overview.ts'
import { isolating, type WordsOf } from '../isolated.ts'

const templateStates: Readonly<Record<string, string>> = {
  REJECTED: 'abgelehnt',
  DISABLED: 'abgeschaltet',
}

const offReasons: Readonly<Record<string, string>> = {
  gone: 'er antwortete 410',
  failing: 'er scheiterte fünf Tage lang',
  secretLost: 'sein Geheimnis ist verloren',
}

const whoLimits = (what: string) => (what === 'ceiling' ? ' Der Betreiber des Gateways hat diese Grenze gesetzt.' : '')
const moreThan = (count: string) => `mehr als ${count}`

export const pauseReasons: Readonly<Record<string, string>> = {
  template: 'die Plattform hat ihre Vorlage angehalten, abgeschaltet oder gelöscht',
  line: 'die Plattform beschränkt oder sperrt ihre Leitung',
  payment: 'die Plattform verlangt eine Zahlung',
  failures: 'mehr als 20 ihrer letzten 100 Einträge scheiterten',
  plan: 'die Nachrichten dieses Monats sind verbraucht',
  key: 'der API-Schlüssel, in dessen Namen sie sendet, wurde widerrufen oder ist abgelaufen',
  late: 'ihre Zeit war lange vorbei, als das Gateway da war, um sie zu beginnen',
  restored: 'die Datenbank stammt aus einer Sicherung, und ein Teil kann seither gesendet sein',
}

/** The first page of a workspace. */
export const overview = isolating<WordsOf<typeof english>>({
  title: 'Übersicht',
  days: days => `${days} Tage`,
  period: 'Zeitraum',
  messagesByDay: 'Nachrichten je Tag',
  messagesByDayHint: 'Nach dem Tag ihrer Annahme (UTC), mit ihrem jetzigen Status.',
  noMessages: 'In diesem Zeitraum wurde nichts gesendet.',
  noMessagesHint: 'Senden Sie Ihre erste Nachricht mit einem API-Schlüssel; sie erscheint im Diagramm.',
  series: {
    read: 'Gelesen',
    delivered: 'Zugestellt',
    sent: 'Gesendet',
    failed: 'Gescheitert',
    unknown: 'Unbekannt',
  },
  day: 'Tag',
  messages: 'Nachrichten',
  deliveryRate: 'Zugestellt',
  readRate: 'Gelesen',
  readRateHint: 'Der zugestellten',
  timeToDeliver: 'Zeit bis zur Zustellung',
  timeToDeliverHint: p95 => `95 % binnen ${p95}`,
  noDelivery: 'Noch keine Zustellung',
  waiting: 'Wartend',
  waitingHint: 'Jetzt in der Warteschlange',
  plan: 'In diesem Monat angenommen',
  planUsed: (used, limit) => `${used} von ${limit}`,
  unlimited: 'Ohne Monatsgrenze',
  planResets: 'Neu gezählt wird ab',
  failures: 'Warum Nachrichten scheiterten',
  noFailures: 'In diesem Zeitraum scheiterte keine.',
  failureCount: count => `${count} ×`,
  failureShow: 'Zeigen',
  unnamedCause: 'Ohne Grund',
  health: 'Leitungen und Callbacks',
  healthHint: 'Die letzten Sendungen jeder Leitung: bis zu 40, aus den letzten sieben Tagen.',
  noLines: 'Keine Leitung ist verbunden.',
  standard: 'Standardleitung',
  callbacks: 'Callbacks',
  lastCallback: 'Letzter Callback',
  attention: 'Braucht Ihre Aufmerksamkeit',
  allWell: 'Nichts braucht Ihre Aufmerksamkeit.',
  allElseWell: 'Nichts anderes braucht Ihre Aufmerksamkeit.',
  more: count => `${count} weitere zeigen`,
  putAway: {
    verb: 'Weglegen',
    undo: 'Zurückholen',
    by: name => `Weggelegt von ${name},`,
    count: count => `${count} weggelegt`,
  },
  severities: { bad: 'Dringend', warning: 'Warnung', note: 'Hinweis' },
  findings: {
    noChannel: () => 'Kein Kanal ist verbunden, also kann nichts gesendet werden.',
    noActiveLine: () => 'Keine Leitung ist aktiv, also kann nichts gesendet werden.',
    pausedBatch: ({ name, template, what }) =>
      `Die Kampagne ${name} hat sich angehalten: ${pauseReasons[template] ?? what}.`,
    noDefaultLine: ({ count }) =>
      `${count} Leitungen sind aktiv, keine ist der Standard: Sendungen ohne Leitung werden abgelehnt.`,
    refusedToken: ({ name, count, isOne }) =>
      `Die Plattform lehnt das Zugangstoken des Kontos ${name} ab: ` +
      `${isOne ? 'seine Leitung sendet' : `seine ${count} Leitungen senden`} nichts.`,
    failingLine: ({ name, count, of, what }) =>
      `${count} der letzten ${of} Nachrichten der Leitung ${name} scheiterten` +
      `${what === '' ? '' : `, die meisten mit: ${what}`}.`,
    lowQuality: ({ name, what }) =>
      `Die Qualität der Leitung ${name} ist niedrig (${what}). ` +
      'Senden Sie nur, was Personen erwarten: sonst sinkt ihre Grenze.',
    backlog: ({ count, isOne }) => `${isOne ? '1 Nachricht wartet' : `${count} Nachrichten warten`} in der Schlange.`,
    keyWithoutLine: ({ name }) =>
      `Der API-Schlüssel ${name} darf keine Leitung benutzen: Alle seine Leitungen wurden entfernt.`,
    endingKey: ({ name, until }) => `Der API-Schlüssel ${name} endet am ${until}.`,
    noKey: () => 'Es gibt keinen API-Schlüssel, also kann kein Programm senden.',
    callbacks({ name, what }) {
      if (what === 'none')
        return `Noch kam kein Callback des Kontos ${name}: Nachrichten bleiben „Gesendet“, und nichts kommt herein.`
      return what === 'unsigned'
        ? `Der letzte Callback für das Konto ${name} hatte keine Signatur: Er kam nicht von der Plattform.`
        : `Der letzte Callback des Kontos ${name} wurde abgelehnt: Seine Signatur passt nicht zum App-Geheimnis.`
    },
    restricted: ({ name, what, until }) => `Die Plattform beschränkt ${name}${until ? ` bis ${until}` : ''}: ${what}.`,
    stoppedLine: ({ name, what }) =>
      `Die Plattform hat das Konto ${name} oder eine Leitung davon angehalten` +
      `${what === '' ? '' : ` (Code ${what})`}: ` +
      'Dort geht nichts hinaus, bis ihr Hinweis im Business Manager erledigt ist.',
    sharedAccount: ({ count }) => `${count} Kanäle haben dasselbe Konto; seine Callbacks erreichen nur einen davon.`,
    unknownMessages: ({ count, isOne, isMore }) =>
      `${isOne ? '1 Nachricht' : `${isMore ? moreThan(count) : count} Nachrichten`} mit unbekanntem Ausgang.`,
    limitReached: ({ of, what }) =>
      `Alle ${of} Nachrichten dieses Monats sind verbraucht: Sendungen werden abgelehnt.${whoLimits(what)}`,
    planLimit: ({ count, of, until, what }) =>
      `${count} von ${of} Nachrichten dieses Monats sind verbraucht.` +
      (until ? ` Bei diesem Tempo ist die Grenze am ${until} erreicht.` : '') +
      whoLimits(what),
    lateBackup: ({ what }) =>
      what ? `Das Gateway kann nicht gesichert werden: ${what}.` : 'Die Sicherung des Gateways ist überfällig.',
    lateUpload: ({ what }) =>
      what
        ? `Das Gateway wird gesichert, aber nicht hochgeladen: ${what}.`
        : 'Die letzten Sicherungen des Gateways sind noch nicht im Bucket.',
    noBackups: () => 'Nichts sichert die Datenbank des Gateways.',
    databaseLocked: () => 'Ein anderes Programm sperrt die Datenbank: Sendungen werden abgelehnt, bis es endet.',
    clockJumped: () => 'Die Zeit des Gateways ist gesprungen: Seine Uhr muss gestellt werden.',
    upgraded: ({ what }) => `Das Gateway wurde ${what}.`,
    manyFailures: ({ count, of }) => `${count} von ${of} Nachrichten der letzten Woche scheiterten.`,
    template: ({ template, language, what, count, isOne, isMore }) =>
      isMore
        ? `${isOne ? '1 weitere Vorlage wurde' : `${count} weitere Vorlagen wurden`} abgelehnt oder pausiert.`
        : `Die Plattform hat die Vorlage ${template} (${language}) ${templateStates[what] ?? 'angehalten'}.`,
    pausedTemplate: ({ template, language, what, until }) =>
      `Die Plattform hat die Vorlage ${template} (${language})${until ? ` bis ${until}` : ''} pausiert, ` +
      `weil ${what === 'RATE_LIMITING_PAUSE' ? 'sie zu oft gesendet wurde' : 'Personen sie schlecht bewerteten'}` +
      `${what === '' ? '' : ` (${what})`}.`,
    oldKeys: ({ count, isOne }) =>
      `${isOne ? '1 API-Schlüssel ist' : `${count} API-Schlüssel sind`} älter als 90 Tage.`,
    webhookOff: ({ name, what }) => `Der Webhook ${name} bekommt keine Ereignisse mehr: ${offReasons[what] ?? ''}.`,
    webhookFailing: ({ name }) => `Der Webhook ${name} nimmt keine Ereignisse an.`,
    update: ({ what }) => `Die Plattform meldet über das Konto: ${what}.`,
  },
  moreThan,
  cures: {
    noChannel: 'Konto verbinden',
    noActiveLine: 'Leitung aktivieren',
    pausedBatch: 'Kampagne öffnen',
    noDefaultLine: 'Standardleitung setzen',
    noKey: 'Schlüssel anlegen',
    keyWithoutLine: 'Neuen Schlüssel anlegen',
    endingKey: 'Schlüssel rotieren',
    refusedToken: 'Token ersetzen',
    failingLine: 'Gescheiterte zeigen',
    lowQuality: 'Kanal öffnen',
    backlog: 'Wartende zeigen',
    callbacks: 'Callbacks prüfen',
    restricted: 'Bericht lesen',
    stoppedLine: 'Bericht lesen',
    sharedAccount: 'Kanäle vergleichen',
    unknownMessages: 'Ausgang festlegen',
    planLimit: 'Grenze ansehen',
    lateBackup: 'Sicherungen ansehen',
    lateUpload: 'Sicherungen ansehen',
    databaseLocked: 'Sehen, wer sperrt',
    clockJumped: 'Gateway ansehen',
    upgraded: 'Gateway ansehen',
    manyFailures: 'Gescheiterte zeigen',
    template: 'Vorlage öffnen',
    templates: 'Vorlagen zeigen',
    oldKeys: 'Rotieren',
    webhook: 'Webhook öffnen',
    update: 'Bericht lesen',
  },
  whoCan: {
    viewer: verb => `Sie können: ${verb}.`,
    member: verb => `Ein Mitglied kann: ${verb}.`,
    admin: verb => `Ein Admin kann: ${verb}.`,
    owner: verb => `Ein Inhaber kann: ${verb}.`,
  },
})
