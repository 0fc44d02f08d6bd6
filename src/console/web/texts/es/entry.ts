import type { entry as english } from '../en/entry.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Signing in, the set-up link and invitations. */
export const entry = isolating<WordsOf<typeof english>>({
  signIn: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Contraseña nueva',
  newPasswordHint: '12 caracteres o más, por ejemplo una frase corta.',
  repeatPassword: 'Repite la contraseña',
  passwordsDiffer: 'Las dos contraseñas son distintas.',
  passwordShort: 'Debe tener al menos 12 caracteres.',
  name: 'Tu nombre (opcional)',
  forgotten: '¿Olvidaste la contraseña? El operador de este gateway puede poner una nueva: waypost user reset-password',
  firstUser:
    '¿Es un gateway nuevo? Abre el enlace de configuración que mostró al iniciarse, ' +
    'o ejecuta: waypost user setup-link',
  ended: 'Tu sesión terminó. Iníciala de nuevo: vuelves a donde estabas, y los borradores se conservan.',
  code: 'Código',
  codeHint: 'Seis dígitos de tu app de autenticación, o un código de recuperación.',
  codeWanted: 'La contraseña es correcta. Escribe un código para continuar.',
  otherAccount: 'Usar otra cuenta',
  setUp: 'Configurar Waypost',
  setUpHint: 'Creas el primer usuario, que es propietario de todo lo que hay aquí y puede invitar a otros.',
  setUpExisting: 'Pasas a ser propietario de los espacios de trabajo existentes.',
  workspaceName: 'Nombre del espacio de trabajo',
  workspaceNameHint: 'Por ejemplo, el nombre de tu empresa. Puedes añadir otros más tarde.',
  createAccount: 'Crear cuenta',
  linkGone: 'Este enlace ya no funciona.',
  setUpGoneHint: 'Funciona una vez y durante 30 minutos. Reinicia el gateway, o ejecuta: waypost user setup-link.',
  invitationGoneHint: 'Funciona una vez y durante siete días. Pide otro.',
  invitation: workspace => `Unirse a ${workspace}`,
  invitedBy: (by, email, role) => `${by} invita a ${email} como ${role}.`,
  join: 'Unirse',
  joinAs: email => `Has iniciado sesión como ${email}. ¿Quieres unirte con esta cuenta?`,
  accountReset: 'El operador ha restablecido la cuenta de esta dirección. Pon una contraseña nueva para usarla.',
  setPassword: 'Guardar contraseña y unirse',
  signInToJoin: 'Ya hay una cuenta con esta dirección. Inicia sesión para unirte.',
  notYourAccount:
    '¿La dirección es tuya, pero la cuenta no? Pídeselo al operador de este gateway: waypost user add --reset.',
  otherUser: email => `Has iniciado sesión como ${email}. Cierra la sesión y vuelve a abrir el enlace.`,
  toSignIn: 'Ir a iniciar sesión',
})
