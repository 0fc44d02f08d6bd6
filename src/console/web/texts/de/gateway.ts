import type { gateway as english } from '../en/gateway.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('de')

/** Whether the gateway is in order, for owners. */
export const gateway = isolating<WordsOf<typeof english>>({
  description: 'Ob alles in Ordnung ist. Es dient allen Arbeitsbereichen.',
  problems: count => plural(count, 'Eines braucht Aufmerksamkeit.', `${count} Dinge brauchen Aufmerksamkeit.`),
  noProblems: 'Alles ist in Ordnung.',
  findings: 'Befunde',
  findingsHint: 'Vom laufenden Gateway. Auf seinem Rechner liest „waypost doctor“ auch die ganze Datenbank.',
  channels: 'Kanäle dieses Arbeitsbereichs',
  channelsHint: 'Die Prüfung fragt die Messaging-Plattform nach Zugangstoken und Callbacks.',
  check: 'Jetzt prüfen',
  checked: 'Die Plattform wurde eben gefragt.',
  account: id => `Konto ${id}`,
  cures: {
    connect: 'Konto verbinden',
    subscribe: 'Callbacks abonnieren',
    token: 'Zugangstoken ersetzen',
    appSecret: 'App-Geheimnis ersetzen',
  },
  facts: 'Gateway',
  version: 'Version',
  database: 'Datenbank',
  engines: { sqlite: 'SQLite', postgresql: 'PostgreSQL' },
  fileSize: size => `SQLite, ${size}`,
  files: 'Dateien, die Personen sandten',
  filesOf: (used, max) => (used === null ? `Noch nicht gemessen; höchstens ${max}` : `${used} von höchstens ${max}`),
  backups: 'Sicherungen',
  backupsHint: keep => `Jede wird ganz geprüft, bevor sie bleibt. Die ${keep} neuesten bleiben.`,
  bucket: 'Bucket',
  uploaded: 'Jede wird auch hochgeladen',
  notUploaded: 'Keiner: Fällt die Platte aus, sind auch die Sicherungen darauf verloren',
  next: 'Nächste',
  late: 'Überfällig',
  backupsFail: 'Sicherungen scheitern seit',
  uploadsFail: 'Sicherungen entstehen, werden aber nicht hochgeladen seit',
  backup: 'Sicherung',
  made: 'Erstellt',
  size: 'Größe',
  where: 'Wo',
  inFolder: 'Ordner',
  inBoth: 'Ordner und Bucket',
  noBackups: 'Noch gibt es keine Sicherung',
  noBackupsHint: 'Das Gateway macht die erste, wenn sie fällig ist.',
  setUp: 'Es gibt keine automatischen Sicherungen',
  setUpHint: 'Setzen Sie einen Ordner in der Umgebung des Gateways, und starten Sie es neu:',
  setUpLines: 'Einstellungen für automatische Sicherungen',
  server: 'Sichern Sie die Datenbank mit den Werkzeugen von PostgreSQL, etwa pg_dump.',
  guide: 'Wie man sichert und wiederherstellt',
})
