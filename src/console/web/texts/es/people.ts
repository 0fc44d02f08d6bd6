import type * as english from '../en/people.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

/** Members of a workspace, and invitations. */
export const members = isolating<WordsOf<typeof english.members>>({
  title: 'Miembros',
  description: 'Quién puede iniciar sesión en este espacio de trabajo, y qué puede hacer cada uno.',
  email: 'Correo',
  name: 'Nombre',
  role: 'Rol',
  roleHints: {
    viewer: 'Ve todo menos las claves, las invitaciones de miembros y la auditoría.',
    member: 'Envía mensajes y edita plantillas.',
    admin: 'Gestiona claves, canales, líneas, ajustes y miembros.',
    owner: 'Puede hacerlo todo, y nombra a otros propietarios.',
  },
  since: 'Miembro desde',
  lastHere: 'Última actividad',
  signedOut: 'Sesión cerrada',
  neverSignedIn: 'Nunca inició sesión',
  you: 'tú',
  secondFactor: 'App de autenticación',
  withSecondFactor: 'Configurada',
  withoutSecondFactor: 'Sin configurar',
  changeRole: 'Cambiar el rol',
  changeRoleOf: email => `Rol de ${email}`,
  remove: 'Quitar',
  removeTitle: email => `¿Quitar a ${email}?`,
  removeQuestion:
    'La persona pierde el acceso al instante. ' +
    'Una cuenta sin otro espacio de trabajo se borra y necesita una invitación nueva.',
  invite: 'Invitar',
  inviteTitle: 'Invitar a alguien',
  inviteHint: 'Recibes un enlace para dárselo a la persona. Funciona una vez, durante siete días.',
  invited: 'Comparte este enlace',
  invitedHint: email =>
    `Envíalo a ${email} en privado: cualquiera que lo tenga puede unirse. ` +
    'Solo se guarda su hash: no se puede mostrar otra vez.',
  link: 'Enlace de invitación',
  done: 'Ya copié el enlace',
  invitations: 'Invitaciones abiertas',
  noInvitations: 'No hay invitaciones abiertas.',
  invitedBy: 'Invitado por',
  expires: 'Expira',
  withdraw: 'Retirar',
  withdrawTitle: email => `¿Retirar la invitación de ${email}?`,
  withdrawQuestion: 'Su enlace deja de funcionar.',
  none: 'No hay miembros.',
})

/** The user's own account. */
export const account = isolating<WordsOf<typeof english.account>>({
  title: 'Cuenta',
  profile: 'Perfil',
  name: 'Nombre',
  nameHint: 'Los demás lo ven junto a tu correo electrónico.',
  password: 'Contraseña',
  passwordHint: 'Una contraseña nueva cierra todas tus demás sesiones.',
  currentPassword: 'Contraseña actual',
  changePassword: 'Cambiar la contraseña',
  passwordChanged(ended) {
    if (ended === 0) return 'Tu contraseña ha cambiado.'
    const others = plural(ended, 'se ha cerrado otra sesión', `se han cerrado otras ${ended} sesiones`)
    return `Tu contraseña ha cambiado, y ${others}.`
  },
  app: 'App de autenticación',
  appHint: 'Con ella, iniciar sesión requiere un código de tu teléfono además de la contraseña.',
  appOn: 'Configurada',
  appOff: 'Sin configurar',
  codesLeft: count => plural(count, 'Queda 1 código de recuperación.', `Quedan ${count} códigos de recuperación.`),
  fewCodes: 'Crea códigos nuevos antes de que se acaben.',
  setUp: 'Configurar',
  next: 'Siguiente',
  scanTitle: 'Escanea el código con tu app',
  scanHint: 'Sirve cualquier app de códigos de un solo uso. Si no puedes escanear, escribe la clave.',
  qrName: 'Código QR para la app de autenticación',
  key: 'Clave',
  code: 'Código que muestra la app',
  confirm: 'Confirmar',
  codesTitle: 'Guarda tus códigos de recuperación',
  codesHint:
    'Cada uno sirve una vez en lugar de un código, si pierdes tu teléfono. ' +
    'Guárdalos bien: no se pueden mostrar otra vez.',
  codes: 'Códigos de recuperación',
  codesKept: 'Ya los guardé',
  newCodes: 'Códigos de recuperación nuevos',
  newCodesHint: 'Tus códigos actuales dejan de funcionar.',
  remove: 'Quitar la app',
  removeHint: 'Después, la contraseña sola basta para iniciar sesión.',
  sessions: 'Sesiones',
  sessionsHint: 'Dónde tienes la sesión abierta. Cierra lo que no reconozcas, y cambia tu contraseña.',
  device: 'Navegador',
  unknownDevice: 'Navegador desconocido',
  thisBrowser: 'Este navegador',
  network: 'Red',
  unknownNetwork: 'Desconocida',
  signedIn: 'Inicio de sesión',
  lastUsed: 'Último uso',
  endThisTitle: '¿Cerrar la sesión de este navegador?',
  endThisQuestion: 'Es la que usas ahora: tendrás que iniciar sesión de nuevo para seguir.',
  signOutEverywhere: 'Cerrar sesión en todas partes',
  signOutQuestion: 'Todos tus navegadores, incluido este, tendrán que iniciar sesión de nuevo.',
})
