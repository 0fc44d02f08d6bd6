import type { contacts as english } from '../en/contacts.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** The people who get messages. */
export const contacts = isolating<WordsOf<typeof english>>({
  title: 'Kontakte',
  add: 'Neuer Kontakt',
  addConfirm: 'Hinzufügen',
  search: 'Name, @Name, Nummer oder ID…',
  searchLabel: 'Kontakte durchsuchen',
  columns: {
    name: 'Name',
    phone: 'Telefonnummer',
    window: 'Antwortfenster',
    heard: 'Schrieb zuletzt',
    created: 'Bekannt seit',
  },
  order: 'Reihenfolge',
  orders: { '': 'Neueste zuerst', heard: 'Wer zuletzt schrieb' },
  onlyTemplates: 'Nur Vorlagen',
  unnamed: 'Ohne Namen',
  forgottenName: 'Vergessener Kontakt',
  noMarketing: 'Will keine Werbung',
  only: { unread: 'Ungelesen', open: 'Beantwortbar', noMarketing: 'Ohne Werbung' },
  blocked: 'Blockiert',
  blockedOn: 'Blockiert auf',
  rename: 'Namen ändern',
  renameHint: 'Bis die Person schreibt und einen anderen Namen zeigt.',
  openConversation: 'In Unterhaltungen öffnen',
  block: 'Blockieren…',
  blockTitle: name => `${name} blockieren?`,
  blockHint:
    'Was die Person schreibt, kommt nicht mehr an, und ihr kann nichts gesendet werden. Das gilt auf der Leitung der ' +
    'Unterhaltung und auf jeder anderen, an die sie in den letzten 24 Stunden schrieb. Das lässt sich aufheben.',
  blockConfirm: 'Blockieren',
  unblock: 'Nicht mehr blockieren…',
  unblockTitle: name => `${name} nicht mehr blockieren?`,
  unblockHint: 'Die Person kann wieder an alle Ihre Leitungen schreiben, und Sie können antworten.',
  unblockConfirm: 'Nicht mehr blockieren',
  emptyTitle: 'Noch kein Kontakt',
  emptyHint:
    'Ein Kontakt entsteht, wenn jemand an eine Ihrer Leitungen schreibt. ' +
    'Nachrichten an Telefonnummern brauchen keinen.',
  noneTitle: 'Kein Kontakt passt',
  noneHint: 'Suchen Sie die ganze Telefonnummer oder einen Teil des Namens oder Benutzernamens; oder zeigen Sie alle.',

  one: 'Kontakt',
  facts: 'Einzelheiten',
  id: 'Kontakt-ID',
  phone: 'Telefonnummer',
  phoneHint: 'Mit Ländervorwahl, wie +4930123456',
  optional: 'freiwillig',
  username: 'Benutzername',
  userId: 'Benutzer-ID der Plattform',
  created: 'Bekannt seit',
  allMessages: 'Alle Nachrichten an diese Nummer',
  optOut: 'Wünsche',
  optOutNone: 'Erhält Werbung: Die Person hat nicht widersprochen.',
  preferenceStop: category => `Will keine ${category}`,
  preferenceResume: category => `Will wieder ${category}`,
  categories: { marketing_messages: 'Werbenachrichten' },
  history: 'Unterhaltung',
  flows: 'Flows',
  flowOpen: 'Offen',
  flowClosed: { reply: 'Beantwortet', revalidated: 'Durch eine spätere Sendung geschlossen', refused: 'Abgelehnt' },
  flowMessage: 'Geöffnet durch Nachricht',
  end: 'Blockieren oder vergessen',
  blockSays: 'Sie erhalten nichts von dieser Person und können ihr nichts senden, bis Sie es aufheben.',
  blockTooLate:
    'Blockieren lässt sich nur, wer in den letzten 24 Stunden schrieb: Andere nimmt die Plattform nicht an.',
  forgetSays: 'Löscht Nummer, Namen und Nachrichten endgültig. Statistiken bleiben.',
  forget: 'Vergessen…',
  forgetTitle: 'Diesen Kontakt vergessen?',
  forgetHint:
    'Nummer und Name werden sofort gelöscht, die Inhalte aller Nachrichten danach, endgültig. ' +
    'Ein langer Verlauf dauert einige Minuten. Zahlen und Status bleiben. ' +
    'Schreibt die Person wieder, entsteht ein neuer Kontakt.',
  forgetWord: 'vergessen',
  forgetConfirm: 'Löschen',
})
