import type { keyboard as englishKeyboard, palette as englishPalette, shell as englishShell } from '../en/shell.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('de')

/** The frame around all pages. */
export const shell = isolating<WordsOf<typeof englishShell>>({
  product: 'Waypost',
  skipToContent: 'Zum Inhalt springen',
  navigation: 'Seiten des Arbeitsbereichs',
  titles: {
    ...{ campaigns: 'Kampagnen', audit: 'Protokoll', clients: 'Vorhandene Clients', gateway: 'Gateway' },
    ...{ templates: 'Vorlagen', webhooks: 'Webhooks' },
  },
  clientNames: 'Chatwoot, Typebot, Evolution API, Cloud API, Graph-Token, Callback',
  connectClient: 'Chatwoot, Typebot oder einen anderen vorhandenen Client verbinden',
  openNavigation: 'Navigation öffnen',
  closeNavigation: 'Navigation schließen',
  groups: { messages: 'Austausch', connections: 'Verbindungen', workspace: 'Arbeitsbereich' },
  workspace: 'Arbeitsbereich',
  newWorkspace: 'Neuer Arbeitsbereich',
  newWorkspaceHint:
    'Er hat eigene Mitglieder, Kanäle, Schlüssel und Nachrichten. Er gehört Ihnen, und Sie laden andere ein. ' +
    'Wie viele jemand anlegen darf, steht in den Einstellungen.',
  workspaceName: 'Name',
  createWorkspace: 'Arbeitsbereich anlegen',
  noWorkspaces: 'Sie sind in keinem Arbeitsbereich Mitglied.',
  noWorkspacesHint:
    'Bitten Sie einen Inhaber oder Admin eines Arbeitsbereichs um eine Einladung, und öffnen Sie den Link darin.',
  account: 'Konto',
  accountOf: user => `${user}: Konto und Farben`,
  signOut: 'Abmelden',
  documentation: 'API-Referenz',
  guides: 'Anleitungen',
  colorScheme: 'Farben',
  colorSchemes: { light: 'Hell', dark: 'Dunkel', auto: 'System' },
  keyboardHelp: 'Tastenkürzel',
  home: 'Zur Übersicht',
  notFound: 'Diese Seite gibt es nicht.',
  notFoundHint: 'Prüfen Sie die Adresse, oder wählen Sie eine Seite im Menü.',
  notAllowed: 'Ihre Rolle darf diese Seite nicht öffnen.',
  notAllowedHint: needed => `Nötig ist die Rolle ${needed}. Fragen Sie einen Inhaber des Arbeitsbereichs.`,
  notLoaded: 'Diese Seite konnte nicht geladen werden.',
  notLoadedHint: 'Die Verbindung ist unterbrochen, oder das Gateway wurde aktualisiert. Laden Sie die Seite neu.',
  reload: 'Neu laden',
  live: {
    live: 'Live',
    connecting: 'Verbindet…',
    lost: 'Verbindung unterbrochen',
    lostHint:
      'Die Seite ist vielleicht nicht aktuell. Sie verbindet sich von selbst neu; ' +
      'höchstens zehn Seiten eines Kontos sind zugleich live.',
    retry: 'Jetzt versuchen',
  },
  titleOf: page => `${page} · Waypost`,
})

/** The search over the whole console, and its commands. */
export const palette = isolating<WordsOf<typeof englishPalette>>({
  title: 'Suche und Befehle',
  button: 'Suchen',
  placeholder: 'Suchen oder einen Befehl eingeben',
  results: 'Ergebnisse',
  pages: 'Seiten',
  commands: 'Befehle',
  workspaces: 'Arbeitsbereiche',
  messagesWith: text => `Alle Nachrichten nach „${text}“ durchsuchen`,
  contactsWith: text => `Alle Kontakte nach „${text}“ durchsuchen`,
  conversationsWith: text => `Alle Unterhaltungen nach „${text}“ durchsuchen`,
  guidesWith: text => `Die Anleitungen nach „${text}“ durchsuchen`,
  failedWith: code => `Nachrichten, die mit ${code} scheiterten`,
  meaningOf: code => `Was der Fehler ${code} bedeutet`,
  sought: {
    '/messages': 'gesendet gescheitert Fehler',
    '/conversations': 'Posteingang Chat Antwort ungelesen',
    '/conversations?new=open': 'senden schreiben',
    '/contacts': 'blockieren abbestellen Kunden',
    '/templates': 'Test senden',
    '/api-keys': 'sperren Token',
    '/usage': 'Kosten Preis Rechnung Geld',
    '/members': 'entfernen Rolle Kollegen',
  },
  openWorkspace: name => `Zu ${name} wechseln`,
  dark: 'Dunkle Farben',
  light: 'Helle Farben',
  none: 'Nichts gefunden.',
  failed: subjects => `Konnte nicht durchsucht werden: ${subjects}.`,
  count: count => plural(count, 'Ein Ergebnis', `${count} Ergebnisse`),
})

/** The help on the keyboard. */
export const keyboard = isolating<WordsOf<typeof englishKeyboard>>({
  title: 'Tastenkürzel',
  palette: 'Alles durchsuchen oder einen Befehl ausführen',
  search: 'Zur Suche der Seite',
  down: 'Nächste Zeile einer Liste',
  up: 'Vorige Zeile einer Liste',
  open: 'Zeile öffnen',
  answer: 'In einer Unterhaltung antworten',
  nextUnread: 'Nächste Unterhaltung mit Ungelesenem',
  take: 'Unterhaltung übernehmen',
  finish: 'Unterhaltung ist erledigt',
  markUnread: 'Unterhaltung als ungelesen markieren',
  begin: 'Neue Nachricht schreiben',
  escape: 'Suche verlassen, Dialog schließen',
  help: 'Diese Hilfe zeigen',
})
