import type { webhooks as english } from '../en/webhooks.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { shell } from './shell.ts'

/** Webhooks: where the workspace's events are delivered. */
export const webhooks = isolating<WordsOf<typeof english>>({
  title: shell.titles.webhooks,
  description:
    'Waypost meldet Ihrem eigenen Server, was geschieht, signiert nach Standard Webhooks: ' +
    'Eine Nachricht kam an, jemand schrieb.',
  add: 'Ziel hinzufügen',
  none: 'Es gibt kein Ziel',
  noneHint:
    'Fügen Sie die Adresse Ihres Servers hinzu, und er bekommt jedes Ereignis binnen einer Sekunde. ' +
    'Ereignisse sind auch eine Liste der API.',
  noneViewer: 'Inhaber und Admins können eines hinzufügen.',
  one: 'Webhook',
  endpoint: 'Ziel',
  id: 'ID des Ziels',
  url: 'Adresse',
  urlHint: 'Wo Ihr Programm Posts annimmt, wie in https://example.com/hook.',
  name: 'Beschreibung',
  nameHint: 'Wofür es ist, wie es in Listen steht.',
  format: 'Format',
  formatHint: 'Was Ihr Programm liest. Es bleibt, wie es ist: Für ein anderes fügen Sie ein weiteres Ziel hinzu.',
  formats: {
    events: 'Ereignisse dieses Gateways',
    platform: 'Callbacks der Plattform',
  },
  more: 'Mehr: Ereignisse, Leitungen, Header',
  verifyToken: 'Verify token',
  verifyTokenHint: 'Was Ihr Programm erwartet: Es zeigt eines, oder Sie erzeugen hier eines und setzen es dort zuerst.',
  makeVerifyToken: 'Erzeugen',
  events: 'Ereignisse',
  eventsHint: 'Die üblichen sind alle außer message.queued und template.reported, die gewählt werden müssen.',
  allOf: { events: 'Alle üblichen Ereignisse', platform: 'Alles über Nachrichten und Zahlungen' },
  platformEventsHint:
    'Nennen Sie nur einem Programm, das es liest, eines ohne Nachricht: Manche kommen damit nicht zurecht.',
  lines: 'Leitungen',
  linesHint: 'Ereignisse zu Nachrichten anderer Leitungen bleiben weg.',
  allLines: 'Alle Leitungen',
  headers: 'Eigene Header',
  headersHint: 'Einer je Zeile, wie „Authorization: Bearer …“. Sie werden versiegelt und nicht wieder gezeigt.',
  headersKept: 'Was Sie schreiben, ersetzt die gesetzten; leer bleiben sie.',
  headersDropped:
    'Die Adresse ist neu: Die gesetzten Header waren für die alte und werden entfernt. ' +
    'Schreiben Sie die der neuen.',
  headersRemove: 'Gesetzte Header entfernen',
  headersForm: 'Schreiben Sie je Zeile einen Header, wie „Authorization: Bearer …“.',
  hasHeaders: 'Gesetzt, nicht gezeigt',
  state: 'Zustand',
  all: 'Alle',
  ms: count => `${count} ms`,
  states: { works: 'Funktioniert', failing: 'Scheitert', off: 'Aus', untried: 'Noch nichts' },
  lastDelivered: 'Zuletzt zugestellt',
  lastFailed: 'Zuletzt gescheitert',
  created: 'Hinzugefügt',
  types: count => `${count} Arten`,
  since: 'Seit',
  required: 'Geben Sie eine Adresse ein.',
  chooseEvents: 'Wählen Sie mindestens eine Art.',
  chooseLines: 'Wählen Sie mindestens eine Leitung.',

  secrets: { events: 'Geheimnis', platform: 'Geheimnis, das Ihr Programm App-Geheimnis nennt' },
  secretTitle: 'Ziel hinzugefügt',
  secretHint:
    'Kopieren Sie das Geheimnis jetzt: Ihr Server prüft damit die Signaturen. ' +
    'Es kann nicht noch einmal gezeigt werden.',
  rotatedTitle: 'Es gibt ein neues Geheimnis',
  formerUntil: 'Das alte Geheimnis signiert mit bis',
  formerEnded: 'Das alte Geheimnis signiert nicht mehr.',
  copied: 'Ich habe das Geheimnis kopiert',

  edit: 'Bearbeiten',
  rotate: 'Geheimnis rotieren',
  rotateHint: 'Erzeugt ein neues Geheimnis. Vorerst hat jede Anfrage beide Signaturen, damit Ihr Server wechseln kann.',
  rotateAtOnce:
    'Erzeugt ein neues Geheimnis. Es allein signiert ab sofort, weil die Plattform nur eine Signatur kennt: ' +
    'Geben Sie es Ihrem Programm.',
  grace: 'Das alte Geheimnis signiert noch',
  switchOff: 'Ausschalten',
  switchOffQuestion: 'Nichts wird mehr zugestellt. Wieder eingeschaltet, geht es dort weiter, wo es aufhörte.',
  switchOn: 'Einschalten',
  switchOnQuestion: 'Es geht dort weiter, wo es aufhörte: Was inzwischen geschah, wird jetzt zugestellt.',
  remove: 'Entfernen',
  removeTitle: name => `${name} entfernen?`,
  removeQuestion:
    'Sein Geheimnis und die Liste seiner Zustellungen gehen mit. Das kann nicht rückgängig gemacht werden.',

  offTitle: {
    switchedOff: 'Dieses Ziel ist ausgeschaltet.',
    gone: 'Dieses Ziel ist aus: Es antwortete 410, will also keine Ereignisse mehr.',
    failing: 'Dieses Ziel ist aus: Es scheiterte fünf Tage lang.',
    secretLost: 'Dieses Ziel ist aus: Sein Geheimnis war mit einem verlorenen Schlüssel versiegelt.',
  },
  offHint:
    'Nichts ist verloren: Wieder eingeschaltet, geht es dort weiter, wo es aufhörte, ' +
    'soweit Ereignisse aufbewahrt sind.',
  offLostHint: 'Rotieren Sie das Geheimnis, geben Sie Ihrem Server das neue, und schalten Sie es ein.',
  failingTitle: 'Der letzte Versuch scheiterte.',
  failingHint:
    'Öffnen Sie unten eine Zustellung, sehen Sie, was Ihr Server antwortete, beheben Sie es dort, und wählen Sie ' +
    'Wiederholen. Jedes Ereignis wird zehnmal versucht, in etwa drei Tagen. ' +
    'Nach fünf Tagen ohne Erfolg wird das Ziel ausgeschaltet.',
  untriedHint:
    'Noch wurde nichts zugestellt, oder nichts seit dem Einschalten. ' +
    'Senden Sie ein Testereignis, um zu sehen, ob Ihr Server es annimmt.',

  test: 'Testereignis senden',
  testHint:
    'Ein Beispiel, signiert wie jedes Ereignis, dessen ID mit evt_test beginnt. ' +
    'Es wird einmal gesendet und nirgends gespeichert.',
  tests: 'Testereignisse',
  testsHint:
    'Was aus diesem Tab gesendet wurde. Es sind keine Zustellungen: Der Zustand oben ändert sich dadurch nicht.',
  testType: 'Art',
  testSend: 'Senden',
  testWorked: (status, ms) => `Ihr Server nahm es an: ${status} nach ${ms}.`,
  testRefused: (status, ms) => `Ihr Server antwortete ${status} nach ${ms}. Nur 200 bis 299 ist Erfolg.`,
  testLost: why => `Es gab keine ganze Antwort: ${why}`,
  answer: 'Antwort',
  noAnswer: 'Die Antwort war leer.',

  lately: 'Letzte Zustellungen',
  capacity: 'Nimmt an',
  capacityOf: (perSecond, ms) => `Geschätzt ${perSecond} Ereignisse je Sekunde, mit Antworten binnen ${ms} ms`,
  latelyOf: {
    delivered: count => `${count} zugestellt`,
    pending: count => `${count} offen`,
    failed: count => `${count} gescheitert`,
  },
  noneLately: 'Noch keine',
  deliveries: 'Zustellungen',
  noDeliveries: 'Noch wurde nichts zugestellt.',
  noneOfState: 'Keine ist in diesem Zustand.',
  showState: 'Zeigen',
  deliveryStates: { pending: 'Offen', delivered: 'Zugestellt', failed: 'Fehler' },
  event: 'Ereignis',
  type: 'Art',
  attempts: 'Versuche',
  lastAttempt: 'Letzter Versuch',
  nextAttempt: 'Nächster Versuch',
  whenOn: 'Sobald es wieder an ist',
  status: 'Antwort',
  duration: 'Dauer',
  firstBytes: 'Anfang der Antwort',
  attemptsKept: 'Die letzten Versuche; ältere werden nur gezählt.',
  delivery: 'Zustellung',
  deliveryHints: {
    pending: 'Sie wird von selbst wiederholt, bis zu zehnmal in etwa drei Tagen.',
    delivered: '',
    failed:
      'Sie wird nicht von selbst wiederholt. Lesen Sie unten, was Ihr Server antwortete, beheben Sie es dort, ' +
      'und stellen Sie noch einmal zu.',
  },
  about: 'Zu',
  aboutMessage: 'Die Nachricht',
  aboutContact: 'Der Kontakt, der schrieb',
  eventId: 'Ereignis-ID',
  body: 'Inhalt',
  bodyOf: type => `Inhalt von ${type}`,
  bodyHint: 'Was der nächste Versuch senden würde.',
  bodyGone: 'Das Ereignis ist nicht mehr aufbewahrt.',

  replay: 'Wiederholen',
  replayTitle: 'Ereignisse noch einmal zustellen',
  replayHint: 'Ihr Server bekommt sie mit denselben IDs; daran erkennt er, dass er sie schon hatte.',
  replayWhat: 'Was',
  replayChoices: { failed: 'Gescheitertes und Wartendes', all: 'Alle Ereignisse' },
  replaySince: 'Seit',
  replaySinceChoices: {
    '1': 'Vor einer Stunde',
    '24': 'Vor einem Tag',
    '168': 'Vor einer Woche',
    '720': 'Vor 30 Tagen',
  },
  replayed: (count, isOne) =>
    isOne ? '1 Ereignis wird noch einmal zugestellt.' : `${count} Ereignisse werden noch einmal zugestellt.`,
  replayedNone: 'Es gibt nichts noch einmal zuzustellen.',
  replayOne: 'Noch einmal zustellen',
  replayedOff: 'Es wird zugestellt, sobald das Ziel an ist.',
})
