import type { composer as english } from '../en/composer.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Writing in a conversation. */
export const composer = isolating<WordsOf<typeof english>>({
  label: name => `An ${name} schreiben`,
  placeholder: key => `Schreiben… ${key} sendet`,
  placeholderShort: 'Schreiben…',
  send: 'Senden',
  attach: 'Datei anhängen',
  template: 'Vorlage senden',
  chooseTemplate: 'Vorlage wählen…',
  closed:
    'Text geht 24 Stunden lang, nachdem die Person an diese Leitung schrieb. ' +
    'Bis dahin kann eine Vorlage gesendet werden.',
  from: 'Von',
  noLine: 'Keine Leitung dieses Arbeitsbereichs ist aktiv, also kann nichts gesendet werden.',
  reply: words => `Antwort auf „${words}“`,
  replyToThem: 'Der Person antworten',
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
  oneFile: 'Eine Datei zur Zeit: Senden Sie diese zuerst.',
  tooLarge: (what, size, max) => `${what} darf höchstens ${max} haben; diese Datei hat ${size}.`,
  kinds: {
    image: 'Ein Bild',
    video: 'Ein Video',
    audio: 'Eine Tondatei',
    document: 'Ein Dokument',
    sticker: 'Ein Sticker',
  },
  tooLong: over => `${over} Zeichen zu viel`,
  tooMany: 'Zu viele Nachrichten warten auf eine Antwort. Senden oder entfernen Sie sie zuerst.',
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
  dropHere: 'Datei hier ablegen',
  pickTitle: 'Vorlage senden',
  searchTemplates: 'Vorlagen suchen',
  noTemplates: 'Keine genehmigte Vorlage passt.',
  otherTemplate: 'Andere Vorlage',
  asksForNoneHint: 'Die Plattform lehnt Werbung an Personen ab, die sie abbestellt haben.',
  sendAnyway: 'Trotzdem senden',
  sendTemplate: 'Vorlage senden',
})
