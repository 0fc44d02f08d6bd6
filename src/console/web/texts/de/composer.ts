import type { composer as english } from '../en/composer.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Writing in a conversation. */
export const composer = isolating<WordsOf<typeof english>>({
  label: name => `An ${name} schreiben`,
  placeholder: key => `Schreiben… ${key} sendet`,
  placeholderShort: 'Schreiben…',
  send: 'Senden',
  add: 'Dateien oder einen Standort anfügen',
  attach: 'Dateien',
  record: 'Sprachnachricht aufnehmen',
  recording: 'Aufnahme läuft',
  stopRecording: 'Beenden',
  dropRecording: 'Aufnahme verwerfen',
  voiceName: 'Sprachnachricht',
  noMicrophone:
    'Es ist kein Mikrofon verfügbar. Schließen Sie eines an und erlauben Sie es dem Browser auf dieser Seite.',
  noOpus:
    'Dieser Browser nimmt keine Sprachnachricht für WhatsApp auf. Fügen Sie eine Datei hinzu, die anderswo entstand.',
  recordsByHttps: 'Browser nehmen nur auf Seiten auf, die über https geöffnet wurden.',
  place: 'Ein Standort',
  hereNow: 'Wo dieses Gerät ist',
  notLocated:
    'Dieser Browser sagt nicht, wo er ist. Erlauben Sie es, oder schreiben Sie den Ort unten: ' +
    'Karten zeigen beide Zahlen.',
  latitude: 'Breite',
  longitude: 'Länge',
  degrees: max => `Eine Zahl von -${max} bis ${max}`,
  placeName: 'Name',
  placeAddress: 'Adresse',
  placeAt: (latitude, longitude) => `${latitude}, ${longitude}`,
  template: 'Vorlage senden',
  chooseTemplate: 'Vorlage wählen…',
  closed:
    'Text geht 24 Stunden lang, nachdem die Person an diese Leitung schrieb. ' +
    'Bis dahin kann eine Vorlage gesendet werden.',
  from: 'Von',
  isBlocked:
    'Diese Person ist auf dieser Leitung blockiert: Was sie schreibt, kommt nicht an, und nichts kann gesendet werden.',
  noLine: 'Keine Leitung dieses Arbeitsbereichs ist aktiv, also kann nichts gesendet werden.',
  reply: words => `Antwort auf „${words}“`,
  replyTo: name => `${name} antworten`,
  replyToOwn: 'Auf die eigene antworten',
  dropReply: 'Nicht auf diese Nachricht antworten',
  dropFile: name => `${name} entfernen`,
  uploading: 'Wird hochgeladen…',
  uploadAgain: 'Noch einmal hochladen',
  voice: 'Als Sprachnachricht senden',
  soundHasNoText: 'Ein Ton oder Sticker hat keinen Text: Ihrer bleibt hier und kann danach gesendet werden.',
  notSendable:
    'WhatsApp nimmt keine Datei dieser Art. ' +
    'Gesendet werden können JPEG, PNG, MP4, PDF, Office, Text, Ton und WebP-Sticker.',
  tooLarge: (what, size, max) => `${what} darf höchstens ${max} haben; diese Datei hat ${size}.`,
  kinds: {
    image: 'Ein Bild',
    video: 'Ein Video',
    audio: 'Eine Tondatei',
    document: 'Ein Dokument',
    sticker: 'Ein Sticker',
  },
  tooLong: over => `${over} Zeichen zu viel`,
  tooMany: 'Höchstens zehn Nachrichten, samt denen, die auf Antwort warten. Senden oder entfernen Sie zuerst einige.',
  waiting: 'Wird gesendet',
  unanswered: 'Noch keine Antwort. Es wird von selbst wiederholt und einmal gesendet.',
  stopped: 'Keine Antwort. „Noch einmal senden“ sendet sie einmal, auch wenn der erste Versuch ankam.',
  notSent: 'Nicht gesendet:',
  again: 'Noch einmal senden',
  edit: 'Bearbeiten',
  discard: 'Verwerfen',
  sentAgain: 'Noch einmal gesendet',
  announceSent: 'Nachricht gesendet',
  announceFailed: why => `Nachricht nicht gesendet: ${why}`,
  dropHere: 'Dateien hier ablegen',
  pickTitle: 'Vorlage senden',
  searchTemplates: 'Vorlagen suchen',
  noTemplates: 'Keine genehmigte Vorlage passt.',
  otherTemplate: 'Andere Vorlage',
  asksForNoneHint: 'Die Plattform lehnt Werbung an Personen ab, die sie abbestellt haben.',
  sendAnyway: 'Trotzdem senden',
  sendTemplate: 'Vorlage senden',
})
