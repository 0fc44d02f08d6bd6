import type { account as englishAccount, members as englishMembers } from '../en/people.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('de')

/** Members of a workspace, and invitations. */
export const members = isolating<WordsOf<typeof englishMembers>>({
  title: 'Mitglieder',
  description: 'Wer sich in diesem Arbeitsbereich anmelden kann, und was sie oder er darf.',
  email: 'E-Mail',
  name: 'Name',
  role: 'Rolle',
  roleHints: {
    viewer: 'Sieht alles außer Schlüsseln, Einladungen und dem Protokoll.',
    member: 'Sendet Nachrichten und bearbeitet Vorlagen.',
    admin: 'Verwaltet Schlüssel, Kanäle, Leitungen, Einstellungen und Mitglieder.',
    owner: 'Darf alles und ernennt andere Inhaber.',
  },
  since: 'Mitglied seit',
  lastHere: 'Zuletzt aktiv',
  signedOut: 'Abgemeldet',
  neverSignedIn: 'Nie angemeldet',
  you: 'Sie',
  secondFactor: 'Authentifizierungs-App',
  withSecondFactor: 'Eingerichtet',
  withoutSecondFactor: 'Nicht eingerichtet',
  changeRole: 'Rolle ändern',
  changeRoleOf: email => `Rolle von ${email}`,
  remove: 'Entfernen',
  removeTitle: email => `${email} entfernen?`,
  removeQuestion:
    'Die Person verliert sofort den Zugang. Ein Konto ohne anderen Arbeitsbereich wird gelöscht ' +
    'und braucht eine neue Einladung.',
  invite: 'Einladen',
  inviteTitle: 'Jemanden einladen',
  inviteHint: 'Sie erhalten einen Link für die Person. Er gilt einmal, sieben Tage lang.',
  invited: 'Geben Sie diesen Link weiter',
  invitedHint: email =>
    `Senden Sie ihn vertraulich an ${email}: Wer ihn hat, kann beitreten. ` +
    'Gespeichert ist nur sein Hash: Er kann nicht noch einmal gezeigt werden.',
  link: 'Einladungslink',
  done: 'Ich habe den Link kopiert',
  invitations: 'Offene Einladungen',
  noInvitations: 'Keine Einladung ist offen.',
  invitedBy: 'Eingeladen von',
  expires: 'Läuft ab',
  withdraw: 'Zurückziehen',
  withdrawTitle: email => `Einladung von ${email} zurückziehen?`,
  withdrawQuestion: 'Ihr Link gilt dann nicht mehr.',
  none: 'Es gibt keine Mitglieder.',
})

/** The user's own account. */
export const account = isolating<WordsOf<typeof englishAccount>>({
  title: 'Konto',
  profile: 'Profil',
  name: 'Name',
  nameHint: 'Andere sehen ihn neben Ihrer E-Mail-Adresse.',
  password: 'Passwort',
  passwordHint: 'Ein neues Passwort beendet alle Ihre anderen Anmeldungen.',
  currentPassword: 'Aktuelles Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged(ended) {
    if (ended === 0) return 'Ihr Passwort ist geändert.'
    const others = plural(ended, 'eine andere Anmeldung ist', `${ended} andere Anmeldungen sind`)
    return `Ihr Passwort ist geändert, und ${others} beendet.`
  },
  app: 'Authentifizierungs-App',
  appHint: 'Mit ihr braucht eine Anmeldung neben dem Passwort einen Code Ihres Telefons.',
  appOn: 'Eingerichtet',
  appOff: 'Nicht eingerichtet',
  codesLeft: count =>
    plural(count, '1 Wiederherstellungscode ist übrig.', `${count} Wiederherstellungscodes sind übrig.`),
  fewCodes: 'Erzeugen Sie neue Codes, bevor sie ausgehen.',
  setUp: 'Einrichten',
  next: 'Weiter',
  scanTitle: 'Scannen Sie den Code mit Ihrer App',
  scanHint: 'Jede App für Einmalcodes genügt. Wenn Sie nicht scannen können, tippen Sie den Schlüssel ein.',
  qrName: 'QR-Code für die Authentifizierungs-App',
  key: 'Schlüssel',
  code: 'Code, den die App zeigt',
  confirm: 'Bestätigen',
  codesTitle: 'Bewahren Sie die Wiederherstellungscodes auf',
  codesHint:
    'Jeder gilt einmal anstelle eines Codes, falls Sie Ihr Telefon verlieren. ' +
    'Bewahren Sie sie sicher auf: Sie können nicht noch einmal gezeigt werden.',
  codes: 'Wiederherstellungscodes',
  codesKept: 'Ich habe sie aufbewahrt',
  newCodes: 'Neue Wiederherstellungscodes',
  newCodesHint: 'Ihre jetzigen Codes gelten dann nicht mehr.',
  remove: 'App entfernen',
  removeHint: 'Danach genügt für die Anmeldung das Passwort.',
  sessions: 'Anmeldungen',
  sessionsHint: 'Wo Sie angemeldet sind. Melden Sie ab, was Sie nicht kennen, und ändern Sie dann Ihr Passwort.',
  device: 'Browser',
  unknownDevice: 'Unbekannter Browser',
  thisBrowser: 'Dieser Browser',
  network: 'Netz',
  unknownNetwork: 'Unbekannt',
  signedIn: 'Angemeldet',
  lastUsed: 'Zuletzt benutzt',
  endThisTitle: 'In diesem Browser abmelden?',
  endThisQuestion: 'Es ist der, den Sie gerade benutzen: Sie melden sich neu an, um weiterzuarbeiten.',
  signOutEverywhere: 'Überall abmelden',
  signOutQuestion: 'Alle Ihre Browser, auch dieser, müssen sich neu anmelden.',
})
