import type { channel as englishChannel, connect as englishConnect, line as englishLine } from '../en/channel.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Connecting an account. */
export const connect = isolating<WordsOf<typeof englishConnect>>({
  title: 'Konto verbinden',
  description:
    'Sie brauchen die Konto-ID, ein Zugangstoken und das App-Geheimnis. ' +
    'Token und Geheimnis werden verschlüsselt gespeichert und nie wieder gezeigt.',
  guideTitle: 'Wo sie stehen',
  guideLink: 'Schritt für Schritt, in der Anleitung',
  guide: [
    'Öffnen Sie das Meta App Dashboard und wählen Sie Ihre App (ihr Typ ist Business).',
    'WhatsApp, API Setup: Kopieren Sie die WhatsApp Business Account ID.',
    'Business settings, System users: Erzeugen Sie ein Token mit whatsapp_business_messaging und ' +
      'whatsapp_business_management, das nicht abläuft.',
    'App settings, Basic: Kopieren Sie App secret und App ID.',
  ],
  accountId: 'Konto-ID',
  accountIdHint: 'WhatsApp Business Account ID: Ziffern.',
  accessToken: 'Zugangstoken',
  accessTokenHint: 'Von einem Systembenutzer. Ein vorläufiges Token läuft nach einem Tag ab.',
  appSecret: 'App-Geheimnis',
  appSecretHint: 'Prüft Callbacks, sodass nur die Plattform eine Zustellung melden kann.',
  appId: 'App-ID',
  appIdHint: 'Freiwillig: nötig für Vorlagen mit einer Datei im Kopf.',
  addLines: 'Telefonnummern des Kontos als Leitungen hinzufügen',
  submit: 'Prüfen und verbinden',
  againTitle: 'Seine Geheimnisse ersetzen?',
  againQuestion: accountId =>
    `Das Konto ${accountId} ist schon verbunden. ` +
    'Sein Zugangstoken und App-Geheimnis werden durch diese ersetzt; seine Leitungen bleiben.',
  again: 'Ersetzen',
  checked: 'Das Token wird am Konto geprüft, bevor etwas gespeichert wird.',
  secretRule: 'Ein Wort ohne Leerzeichen.',
  digitsRule: 'Nur Ziffern.',
  requiredRule: 'Muss angegeben werden.',
})

/** The page of one channel. */
export const channel = isolating<WordsOf<typeof englishChannel>>({
  check: 'Prüfen',
  accessTitle: 'Zugang',
  accessHint: 'Die Geheimnisse sind verschlüsselt gespeichert. Sie können ersetzt, aber nie gelesen werden.',
  accountOk: 'Das Zugangstoken gilt für das Konto.',
  accountBad: 'Das Zugangstoken gilt nicht: Seine Leitungen senden nichts. Ersetzen Sie das Token.',
  platformSays: message => `Die Antwort war: ${message}`,
  subscription: {
    here: 'Die Plattform sendet Callbacks an dieses Gateway.',
    nowhere: 'Die Plattform sendet keine Callbacks. Abonnieren Sie sie.',
    elsewhere: 'Die Plattform sendet Callbacks an eine andere Adresse:',
    unknown: 'Die Plattform sagt nicht, wohin Callbacks gehen.',
  },
  noLine: number => `Noch keine Leitung: ${number}`,
  add: 'Hinzufügen',
  callbackTitle: 'Callbacks',
  callbackHint:
    'Callbacks melden den Status von Nachrichten, und was Personen schreiben. Abonnieren Sie sie mit einem Klick, ' +
    'oder zeigen Sie das Verify token und kopieren Sie beide Werte ins Meta App Dashboard: ' +
    'WhatsApp, Configuration, Webhook.',
  callbackUrl: 'Callback-URL',
  verifyToken: 'Verify token',
  showVerifyToken: 'Verify token zeigen',
  noPublicUrl: 'Das Gateway hat keine öffentliche Adresse',
  noPublicUrlHint:
    'Darum lassen sich Callbacks nicht abonnieren. ' +
    'Wer es betreibt, setzt PUBLIC_URL auf die https://-Adresse, unter der die Plattform es erreicht, ' +
    'und startet es neu.',
  subscribe: 'Callbacks abonnieren',
  subscribed: url => `Callbacks kommen an unter ${url}.`,
  cutOff: ids => `Callbacks desselben Kontos erreichen nicht mehr: ${ids}.`,
  setToken: 'Zugangstoken ersetzen',
  setAppSecret: 'App-Geheimnis ersetzen',
  setAppId: 'App-ID setzen',
  replaceAppId: 'App-ID ersetzen',
  replace: 'Ersetzen',
  disconnectTitle: 'Trennen',
  disconnectHint: 'Entfernt den Kanal endgültig, mit Leitungen, Vorlagen und Geheimnissen. Seine Nachrichten bleiben.',
  disconnect: 'Konto trennen',
  disconnectQuestion:
    'Seine Leitungen senden sofort nichts mehr. Entfernen Sie danach seine Callback-Adresse bei der Plattform.',
  opened: (count, isMore) =>
    `Personen, die wir in den letzten 24 Stunden zuerst anschrieben, soweit bekannt: ${isMore ? 'mindestens ' : ''}` +
    `${count}. Die Grenze zählt die des ganzen Portfolios.`,
  addLine: 'Leitung hinzufügen',
  lineNumber: 'Nummer',
  lineNumberHint: 'Mit Ländervorwahl: +49 30 123456.',
  upstreamPhoneId: 'ID der Telefonnummer bei der Plattform',
  upstreamPhoneIdHint: 'Im Meta App Dashboard: WhatsApp, API Setup, Phone number ID.',
})

/** What can be done with a line. */
export const line = isolating<WordsOf<typeof englishLine>>({
  copyId: 'Leitungs-ID kopieren',
  makeDefault: 'Zum Standard machen',
  noDefault: 'Nicht mehr Standard',
  noDefaultNext:
    'Nachrichten, die keine Leitung nennen, gehen von der einzigen aktiven aus; sind es mehrere, werden sie abgelehnt.',
  activate: 'Aktivieren',
  deactivate: 'Deaktivieren',
  deactivateQuestion: number => `${number} sendet dann nichts mehr. Was angenommen wurde, wird noch gesendet.`,
  name: 'Namen ändern',
  label: 'Name',
  labelHint: 'Steht neben der Nummer, wo eine Leitung gewählt wird: Berlin. Leer: die Nummer allein.',
  rate: 'Tempo ändern',
  directSend: 'Direct Send erlauben',
  directSendNext:
    'Sendungen mit einer Kategorie gehen ohne Vorlage und ohne das 24-Stunden-Fenster hinaus und kosten wie ' +
    'Vorlagen. Die Plattform muss es freigegeben haben und beschränkt Konten, die es missbrauchen.',
  noDirectSend: 'Direct Send ablehnen',
  noDirectSendNext: 'Sendungen mit einer Kategorie werden von jetzt an abgelehnt.',
  perSecond: 'Nachrichten je Sekunde',
  perSecondHint: 'Die Plattform erlaubt einer neuen Leitung 80. 0: ohne Tempo.',
  pairSeconds: 'Sekunden zwischen Nachrichten an einen Empfänger',
  pairSecondsHint: 'Die Plattform erlaubt eine in 6 Sekunden. 0: ohne Tempo.',
  remove: 'Entfernen',
  removeTitle: number => `${number} entfernen?`,
  removeQuestion: 'Sie wird endgültig entfernt. Ihre Nachrichten bleiben lesbar.',
})
