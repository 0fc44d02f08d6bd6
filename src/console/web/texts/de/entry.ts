import type { entry as english } from '../en/entry.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Signing in, the set-up link and invitations. */
export const entry = isolating<WordsOf<typeof english>>({
  signIn: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 12 Zeichen, zum Beispiel ein kurzer Satz.',
  repeatPassword: 'Passwort wiederholen',
  passwordsDiffer: 'Die beiden Passwörter sind verschieden.',
  passwordShort: 'Es muss mindestens 12 Zeichen haben.',
  name: 'Ihr Name (freiwillig)',
  forgotten: 'Passwort vergessen? Der Betreiber dieses Gateways kann ein neues setzen: waypost user reset-password',
  firstUser:
    'Ist das Gateway neu? Öffnen Sie den Einrichtungslink, den es beim Start ausgab, ' +
    'oder führen Sie aus: waypost user setup-link',
  ended:
    'Ihre Anmeldung ist beendet. Melden Sie sich neu an: ' +
    'Sie kommen dorthin zurück, wo Sie waren, und Entwürfe bleiben.',
  code: 'Code',
  codeHint: 'Sechs Ziffern Ihrer Authentifizierungs-App oder ein Wiederherstellungscode.',
  codeWanted: 'Das Passwort stimmt. Geben Sie einen Code ein, um fortzufahren.',
  otherAccount: 'Anderes Konto benutzen',
  setUp: 'Waypost einrichten',
  setUpHint: 'Sie legen das erste Konto an. Ihm gehört hier alles, und es kann andere einladen.',
  setUpExisting: 'Sie werden Inhaber der vorhandenen Arbeitsbereiche.',
  workspaceName: 'Name des Arbeitsbereichs',
  workspaceNameHint: 'Zum Beispiel der Name Ihrer Firma. Weitere können Sie später anlegen.',
  createAccount: 'Konto anlegen',
  linkGone: 'Dieser Link gilt nicht mehr.',
  setUpGoneHint:
    'Er gilt einmal und 30 Minuten lang. Starten Sie das Gateway neu, oder führen Sie aus: waypost user setup-link.',
  invitationGoneHint: 'Er gilt einmal und sieben Tage lang. Bitten Sie um einen neuen.',
  invitation: workspace => `${workspace} beitreten`,
  invitedBy: (by, email, role) => `${by} lädt ${email} als ${role} ein.`,
  join: 'Beitreten',
  joinAs: email => `Sie sind als ${email} angemeldet. Möchten Sie mit diesem Konto beitreten?`,
  accountReset:
    'Der Betreiber hat das Konto dieser Adresse zurückgesetzt. Setzen Sie ein neues Passwort, um es zu benutzen.',
  setPassword: 'Passwort setzen und beitreten',
  signInToJoin: 'Zu dieser Adresse gibt es ein Konto. Melden Sie sich an, um beizutreten.',
  notYourAccount:
    'Ist die Adresse Ihre, das Konto aber nicht? Fragen Sie den Betreiber dieses Gateways: waypost user add --reset.',
  otherUser: email => `Sie sind als ${email} angemeldet. Melden Sie sich ab, und öffnen Sie dann den Link noch einmal.`,
  toSignIn: 'Zur Anmeldung',
})
