import type { overview as english } from '../en/overview.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

const lowered = (verb: string) => verb.charAt(0).toLowerCase() + verb.slice(1)

const templateStates: Readonly<Record<string, string>> = {
  REJECTED: 'rechazó',
  DISABLED: 'desactivó',
}

const offReasons: Readonly<Record<string, string>> = {
  gone: 'respondió 410',
  failing: 'falló durante cinco días',
  secretLost: 'se perdió su secreto',
}

const whoLimits = (what: string) => (what === 'ceiling' ? ' El operador del gateway fijó este límite.' : '')
const moreThan = (count: string) => `más de ${count}`

export const pauseReasons: Readonly<Record<string, string>> = {
  template: 'la plataforma pausó, desactivó o eliminó su plantilla',
  line: 'la plataforma restringe o bloquea su línea',
  payment: 'la plataforma exige un pago',
  failures: 'fallaron más de 20 de sus últimos 100 elementos',
  plan: 'se agotaron los mensajes de este mes',
  key: 'la clave de API con la que envía se revocó o expiró',
  late: 'su hora había pasado hacía mucho cuando el gateway pudo iniciarla',
  restored: 'la base de datos procede de una copia, y una parte puede haberse enviado desde entonces',
}

/** The first page of a workspace. */
export const overview = isolating<WordsOf<typeof english>>({
  title: 'Resumen',
  days: days => `${days} días`,
  period: 'Período',
  messagesByDay: 'Mensajes por día',
  messagesByDayHint: 'Según el día en que se aceptaron (UTC), con su estado actual.',
  noMessages: 'No se envió nada en este período.',
  noMessagesHint: 'Envía tu primer mensaje con una clave de API; aparece en el gráfico.',
  series: {
    read: 'Leídos',
    delivered: 'Entregados',
    sent: 'Enviados',
    failed: 'Fallidos',
    unknown: 'Desconocidos',
  },
  day: 'Día',
  messages: 'Mensajes',
  deliveryRate: 'Entregados',
  readRate: 'Leídos',
  readRateHint: 'De los entregados',
  timeToDeliver: 'Tiempo de entrega',
  timeToDeliverHint: p95 => `95 % en ${p95} o menos`,
  noDelivery: 'Aún sin entregas',
  waiting: 'En espera',
  waitingHint: 'En la cola ahora',
  plan: 'Aceptados este mes',
  planUsed: (used, limit) => `${used} de ${limit}`,
  unlimited: 'Sin límite mensual',
  planResets: 'El recuento empieza de nuevo el',
  failures: 'Por qué fallaron mensajes',
  noFailures: 'Ninguno falló en este período.',
  failureCount: count => `${count} ×`,
  failureShow: 'Verlos',
  unnamedCause: 'Sin motivo indicado',
  health: 'Líneas y callbacks',
  healthHint: 'Los últimos envíos de cada línea: hasta 40, de los últimos siete días.',
  noLines: 'No hay ninguna línea conectada.',
  standard: 'Línea predeterminada',
  callbacks: 'Callbacks',
  lastCallback: 'Último callback:',
  attention: 'Necesita tu atención',
  allWell: 'Nada necesita tu atención.',
  allElseWell: 'Nada más necesita tu atención.',
  more: count => `Mostrar ${count} más`,
  putAway: {
    verb: 'Ocultar',
    undo: 'Volver a mostrar',
    by: name => `Ocultado por ${name},`,
    count: count => plural(count, '1 oculto', `${count} ocultos`),
  },
  severities: { bad: 'Urgente', warning: 'Advertencia', note: 'Nota' },
  findings: {
    noChannel: () => 'No hay ningún canal conectado, así que no se puede enviar nada.',
    noActiveLine: () => 'Ninguna línea está activa, así que no se puede enviar nada.',
    pausedBatch: ({ name, template, what }) => `La campaña ${name} se detuvo sola: ${pauseReasons[template] ?? what}.`,
    noDefaultLine: ({ count }) =>
      `Hay ${count} líneas activas y ninguna es la predeterminada: los envíos que no indican línea se rechazan.`,
    refusedToken: ({ name, count, isOne }) =>
      `La plataforma rechaza el token de acceso de la cuenta ${name}: ` +
      `${isOne ? 'su línea no envía' : `sus ${count} líneas no envían`} nada.`,
    failingLine: ({ name, count, of, what }) =>
      `Fallaron ${count} de los últimos ${of} mensajes de la línea ${name}` +
      `${what === '' ? '' : `, la mayoría con: ${what}`}.`,
    lowQuality: ({ name, what }) =>
      `La calidad de la línea ${name} es baja (${what}). ` +
      'Envía solo lo que la gente espera: si no, se reduce su límite.',
    backlog: ({ count, isOne }) => `${isOne ? '1 mensaje espera' : `${count} mensajes esperan`} en la cola.`,
    keyWithoutLine: ({ name }) => `La clave de API ${name} no puede usar ninguna línea: se eliminaron todas las suyas.`,
    endingKey: ({ name, until }) => `La clave de API ${name} expira el ${until}.`,
    noKey: () => 'No hay ninguna clave de API, así que ningún programa puede enviar.',
    callbacks({ name, what }) {
      if (what === 'none')
        return (
          `Aún no ha llegado ningún callback de la cuenta ${name}: ` +
          'los mensajes se quedan en “Enviado”, y lo que escriben los usuarios no llega.'
        )
      return what === 'unsigned'
        ? `El último callback para la cuenta ${name} no tenía firma: no vino de la plataforma.`
        : `El último callback de la cuenta ${name} se rechazó: su firma no se hizo con el secreto de la app.`
    },
    restricted: ({ name, what, until }) =>
      `La plataforma restringe ${name}${until ? ` hasta el ${until}` : ''}: ${what}.`,
    stoppedLine: ({ name, what }) =>
      `La plataforma ha detenido la cuenta ${name} o una línea suya${what === '' ? '' : ` (código ${what})`}: ` +
      'no se puede enviar nada desde ahí hasta que se atienda su aviso en Business Manager.',
    sharedAccount: ({ count }) => `${count} canales tienen la misma cuenta; sus callbacks llegan solo a uno de ellos.`,
    unknownMessages: ({ count, isOne, isMore }) =>
      `${isOne ? '1 mensaje' : `${isMore ? moreThan(count) : count} mensajes`} con resultado desconocido.`,
    limitReached: ({ of, what }) =>
      `Los ${of} mensajes de este mes están usados: los envíos se rechazan.${whoLimits(what)}`,
    planLimit: ({ count, of, until, what }) =>
      `${count} de ${of} mensajes de este mes están usados.` +
      (until ? ` A este ritmo, el límite se alcanza el ${until}.` : '') +
      whoLimits(what),
    lateBackup: ({ what }) =>
      what
        ? `No se puede hacer ninguna copia de seguridad del gateway: ${what}.`
        : 'La copia de seguridad del gateway está atrasada.',
    lateUpload: ({ what }) =>
      what
        ? `Las copias de seguridad del gateway se hacen, pero no se suben: ${what}.`
        : 'Las últimas copias de seguridad del gateway aún no están en el bucket.',
    noBackups: () => 'Nada hace copias de seguridad de la base de datos del gateway.',
    databaseLocked: () =>
      'Otro programa mantiene un bloqueo en la base de datos: los envíos se rechazan hasta que termine.',
    clockJumped: () => 'La hora del gateway ha dado un salto: hay que sincronizar su reloj.',
    // What was done comes in English from the gateway.
    upgraded: ({ what }) => `El gateway se actualizó: ${what}.`,
    manyFailures: ({ count, of }) => `Fallaron ${count} de ${of} mensajes de la última semana.`,
    template: ({ template, language, what, count, isOne, isMore }) =>
      isMore
        ? `${isOne ? 'Otra plantilla se rechazó o pausó' : `Otras ${count} plantillas se rechazaron o pausaron`}.`
        : `La plataforma ${templateStates[what] ?? 'detuvo'} la plantilla ${template} (${language}).`,
    pausedTemplate: ({ template, language, what, until }) =>
      `La plataforma pausó la plantilla ${template} (${language})${until ? ` hasta el ${until}` : ''}, ` +
      `porque ${what === 'RATE_LIMITING_PAUSE' ? 'se envió con demasiada frecuencia' : 'la gente la valoró mal'}` +
      `${what === '' ? '' : ` (${what})`}.`,
    oldKeys: ({ count, isOne }) =>
      `${isOne ? '1 clave de API tiene' : `${count} claves de API tienen`} más de 90 días.`,
    webhookOff: ({ name, what }) => `El webhook ${name} ya no recibe eventos: ${offReasons[what] ?? ''}.`,
    webhookFailing: ({ name }) => `El webhook ${name} no acepta eventos.`,
    update: ({ what }) => `La plataforma informa sobre la cuenta: ${what}.`,
  },
  moreThan,
  /** What is done about a finding. It also ends a sentence: “Un administrador puede reemplazar el token.” */
  cures: {
    noChannel: 'Conectar una cuenta',
    noActiveLine: 'Activar una línea',
    pausedBatch: 'Abrir la campaña',
    noDefaultLine: 'Elegir la línea predeterminada',
    noKey: 'Crear una clave',
    keyWithoutLine: 'Crear otra clave',
    endingKey: 'Rotar la clave',
    refusedToken: 'Reemplazar el token',
    failingLine: 'Ver sus mensajes fallidos',
    lowQuality: 'Abrir el canal',
    backlog: 'Ver los mensajes en espera',
    callbacks: 'Comprobar los callbacks',
    restricted: 'Leer el aviso',
    stoppedLine: 'Leer el aviso',
    sharedAccount: 'Comparar los canales',
    unknownMessages: 'Resolverlos',
    planLimit: 'Ver el límite',
    lateBackup: 'Ver las copias',
    lateUpload: 'Ver las copias',
    databaseLocked: 'Ver quién lo mantiene',
    clockJumped: 'Ver el gateway',
    upgraded: 'Ver el gateway',
    manyFailures: 'Ver los mensajes fallidos',
    template: 'Abrir la plantilla',
    templates: 'Ver las plantillas',
    oldKeys: 'Rotarlas',
    webhook: 'Abrir el webhook',
    update: 'Leer el aviso',
  },
  whoCan: {
    viewer: verb => `Puedes ${lowered(verb)}.`,
    member: verb => `Un miembro puede ${lowered(verb)}.`,
    admin: verb => `Un administrador puede ${lowered(verb)}.`,
    owner: verb => `Un propietario puede ${lowered(verb)}.`,
  },
})
