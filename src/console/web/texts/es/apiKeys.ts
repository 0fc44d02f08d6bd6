import type { apiKeys as english } from '../en/apiKeys.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

/** API keys. */
export const apiKeys = isolating<WordsOf<typeof english>>({
  title: 'Claves de API',
  description: 'Un backend se identifica con una clave y su secreto.',
  more: 'Cómo funcionan las claves',
  furtherDescription:
    'Una clave puede enviar, y leer todo lo que los usuarios escriben al espacio de trabajo, ' +
    'salvo que se limite a menos. ' +
    'Solo los propietarios y administradores ven esta página.',
  create: 'Crear una clave',
  label: 'Etiqueta',
  labelHint: 'Quién o qué la usa: producción, pruebas, la tienda.',
  unlabelled: 'Sin etiqueta',
  scopes: 'Permisos',
  scopesHint: 'Elige solo lo que haga falta. No se puede cambiar después; una clave rotada los conserva.',
  everything: 'Todo menos webhooks, cambios de plantillas y programas existentes',
  chooseOne: 'Elige al menos una opción.',
  lines: 'Líneas',
  linesHint: 'Envía solo desde ellas, y ve solo lo que les pertenece. Tampoco se puede cambiar después.',
  allLines: 'Todas las líneas, también las futuras',
  onlyLines: numbers => `Solo ${numbers}`,
  scopeNames: {
    'messages:send': 'enviar mensajes',
    'messages:read': 'leer mensajes enviados',
    'templates:read': 'listar plantillas',
    'templates:write': 'cambiar plantillas',
    'events:read': 'leer eventos',
    inbound: 'leer lo que escriben los usuarios',
    'contacts:read': 'buscar contactos',
    'contacts:write': 'cambiar contactos',
    media: 'subir y obtener archivos',
    webhooks: 'cambiar webhooks',
    graph: 'admitir programas existentes',
    'graph:pass': 'hacer otras llamadas de la plataforma',
  },
  scopeMeanings: {
    'messages:send': 'Enviar mensajes.',
    'messages:read': 'Leer qué pasó con los mensajes, y listarlos.',
    'templates:read': 'Listar las plantillas aprobadas.',
    'templates:write': 'Crear, cambiar y eliminar plantillas, con programas existentes.',
    'events:read': 'Leer todos los eventos, también lo que escriben los usuarios.',
    inbound: 'Leer lo que escriben los usuarios, marcarlo como leído y, con programas existentes, bloquear a usuarios.',
    'contacts:read': 'Buscar contactos, con sus números.',
    'contacts:write': 'Añadir contactos, darlos de baja de la publicidad y de alta, bloquearlos y desbloquearlos.',
    media:
      'Subir archivos para enviarlos, obtener los que enviaron los usuarios y, con programas existentes, ' +
      'eliminar ambos.',
    webhooks: 'Añadir, cambiar y eliminar webhooks: adónde van los eventos, también lo que escriben los usuarios.',
    graph: 'Dejar que programas de la plataforma hablen con este gateway, con un solo token por clave y secreto.',
    'graph:pass':
      'Dejar que hagan cualquier otra llamada de la plataforma para sus líneas y cuentas, con las reglas de ella.',
  },
  expires: 'Expira',
  expiresHint: 'Una clave que nunca expira funciona hasta que se revoca.',
  expiryChoices: { never: 'Nunca', '30': 'En 30 días', '90': 'En 90 días', '365': 'En un año' },
  networks: 'Redes permitidas',
  networksHint: 'Direcciones o redes CIDR, una por línea. Vacío: solicitudes desde cualquier lugar.',
  key: 'Clave',
  state: 'Estado',
  age: 'Antigüedad',
  thisMonth: 'Este mes',
  notCounted: 'Aún sin contar',
  lastUsed: 'Último uso',
  days: count => plural(count, '1 día', `${count} días`),
  used: 'Usada',
  neverUsed: 'Nunca usada',
  old: 'Más de 90 días: rótala.',
  oldKeys: count =>
    `${plural(count, 'Una clave tiene', `${count} claves tienen`)} más de 90 días. ` +
    `${plural(count, 'Rótala', 'Rótalas')}: la clave anterior funciona hasta que acaba su validez.`,
  states: { works: 'Activa', ends: 'Expira', expired: 'Expirada', revoked: 'Revocada' },
  none: 'No hay ninguna clave de API',
  noneHint: 'Crea una, y tu backend podrá enviar el primer mensaje.',
  showEnded: 'Mostrar las claves revocadas y expiradas',
  created: 'Clave creada',
  createdHint: 'Copia el secreto ahora. Solo se guarda su hash: no se puede mostrar otra vez.',
  apiKey: 'apiKey',
  apiSecret: 'apiSecret',
  graphToken: 'Token para programas existentes',
  curl: 'Pruébala',
  curlHint: 'Lee con la clave nueva y no envía nada.',
  curlCommand: 'comando de curl',
  copied: 'Ya copié el secreto',
  rotate: 'Rotar',
  rotateTitle: label => `Rotar ${label}`,
  rotateHint:
    'Crea una clave nueva con los mismos permisos. ' +
    'Ambas comparten las claves de idempotencia: mientras tanto, nada se envía dos veces.',
  grace: 'Validez de la clave anterior',
  limits: 'Cambiar los límites',
  revoke: 'Revocar',
  revokeTitle: label => `¿Revocar ${label}?`,
  revokeQuestion: 'Se rechaza desde la próxima solicitud. No se puede deshacer. Los mensajes que envió se conservan.',
})
