import type { gateway as english } from '../en/gateway.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

/** Whether the gateway is in order, for owners. */
export const gateway = isolating<WordsOf<typeof english>>({
  description: 'Si todo está en orden. Sirve a todos los espacios de trabajo.',
  problems: count => plural(count, 'Una cosa necesita atención.', `${count} cosas necesitan atención.`),
  noProblems: 'Todo está en orden.',
  findings: 'Comprobaciones',
  findingsHint: 'Del gateway en marcha. En su máquina, waypost doctor lee además toda la base de datos.',
  channels: 'Canales de este espacio de trabajo',
  channelsHint: 'La comprobación pregunta a la plataforma de mensajería por los tokens de acceso y los callbacks.',
  check: 'Comprobar ahora',
  checked: 'Se acaba de preguntar a la plataforma.',
  account: id => `Cuenta ${id}`,
  cures: {
    connect: 'Conectar una cuenta',
    subscribe: 'Suscribir callbacks',
    token: 'Reemplazar el token de acceso',
    appSecret: 'Reemplazar el secreto de la app',
  },
  facts: 'Gateway',
  version: 'Versión',
  database: 'Base de datos',
  engines: { sqlite: 'SQLite', postgresql: 'PostgreSQL' },
  fileSize: size => `SQLite, ${size}`,
  files: 'Archivos que enviaron los usuarios',
  filesOf: (used, max) => (used === null ? `Aún sin medir; ${max} como máximo` : `${used} de ${max} como máximo`),
  backups: 'Copias de seguridad',
  backupsHint: keep => `Cada una se comprueba entera antes de guardarla. Se guardan las ${keep} más recientes.`,
  bucket: 'Bucket',
  uploaded: 'Cada una se sube también',
  notUploaded: 'Ninguno: si falla un disco, se pierden las copias que están en él',
  next: 'Próxima',
  late: 'Atrasada',
  backupsFail: 'Las copias fallan desde',
  uploadsFail: 'Las copias se hacen, pero no se suben desde',
  backup: 'Copia',
  made: 'Hecha',
  size: 'Tamaño',
  where: 'Dónde',
  inFolder: 'Carpeta',
  inBoth: 'Carpeta y bucket',
  noBackups: 'Aún no hay ninguna copia',
  noBackupsHint: 'El gateway hace la primera cuando toca.',
  setUp: 'No hay copias automáticas',
  setUpHint: 'Indica una carpeta en el entorno del gateway, y reinícialo:',
  setUpLines: 'ajustes para copias automáticas',
  server: 'Haz copias de la base de datos con las herramientas de PostgreSQL, como pg_dump.',
  guide: 'Cómo hacer copias y restaurarlas',
})
