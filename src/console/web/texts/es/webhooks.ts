import type { webhooks as english } from '../en/webhooks.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'
import { shell } from './shell.ts'

const plural = pluralOf('es')

/** Webhooks: where the workspace's events are delivered. */
export const webhooks = isolating<WordsOf<typeof english>>({
  title: shell.titles.webhooks,
  description:
    'Waypost envía a tu propio servidor lo que pasa, firmado según Standard Webhooks: ' +
    'un mensaje se entregó, un usuario escribió.',
  add: 'Añadir un destino',
  none: 'No hay ningún destino',
  noneHint:
    'Añade la dirección de tu servidor, y recibirá cada evento en un segundo. ' +
    'Los eventos son además una lista de la API.',
  noneViewer: 'Los propietarios y administradores pueden añadir uno.',
  one: 'Webhook',
  endpoint: 'Destino',
  id: 'ID del destino',
  url: 'Dirección',
  urlHint: 'Donde tu programa recibe los posts, como https://example.com/hook.',
  name: 'Descripción',
  nameHint: 'Para qué es, tal como se muestra en las listas.',
  format: 'Formato',
  formatHint: 'Lo que lee tu programa. No cambia: para otro formato, añade otro destino.',
  formats: {
    events: 'Eventos de este gateway',
    platform: 'Callbacks de la plataforma',
  },
  more: 'Más: eventos, líneas, cabeceras',
  verifyToken: 'Token de verificación',
  verifyTokenHint: 'Lo que espera tu programa: él muestra uno, o creas uno aquí y lo pones allí primero.',
  makeVerifyToken: 'Crear uno',
  events: 'Eventos',
  eventsHint: 'Los habituales son todos menos message.queued y template.reported, que hay que elegir.',
  allOf: { events: 'Todos los eventos habituales', platform: 'Todo sobre mensajes y pagos' },
  platformEventsHint: 'Indica uno que no trate de un mensaje solo a un programa que lo lea: algunos fallan con él.',
  lines: 'Líneas',
  linesHint: 'Los eventos sobre mensajes de otras líneas se omiten.',
  allLines: 'Todas las líneas',
  headers: 'Encabezados propios',
  headersHint: 'Uno por línea, como en “Authorization: Bearer …”. Se guardan sellados, y no se vuelven a mostrar.',
  headersKept: 'Lo que escribas reemplaza a los que hay; si queda vacío, se conservan.',
  headersDropped:
    'La dirección es nueva: los encabezados que hay eran para la anterior, y se quitan. ' + 'Escribe los de la nueva.',
  headersRemove: 'Quitar los encabezados que hay',
  headersForm: 'Escribe un encabezado por línea, como en “Authorization: Bearer …”.',
  hasHeaders: 'Fijados, no se muestran',
  state: 'Estado',
  all: 'Todas',
  ms: count => `${count} ms`,
  states: { works: 'Funciona', failing: 'Falla', off: 'Desactivado', untried: 'Aún nada' },
  lastDelivered: 'Última entrega',
  lastFailed: 'Último fallo',
  created: 'Añadido',
  types: count => `${count} tipos`,
  since: 'Desde el',
  required: 'Escribe una dirección.',
  chooseEvents: 'Elige al menos un tipo.',
  chooseLines: 'Elige al menos una línea.',

  secrets: { events: 'Secreto', platform: 'Secreto, que tu programa llama secreto de la app (app secret)' },
  secretTitle: 'Destino añadido',
  secretHint: 'Copia el secreto ahora: con él tu servidor comprueba las firmas. No se puede mostrar otra vez.',
  rotatedTitle: 'Hay un secreto nuevo',
  formerUntil: 'El secreto anterior también firma hasta el',
  formerEnded: 'El secreto anterior ya no firma.',
  copied: 'Ya copié el secreto',

  edit: 'Editar',
  rotate: 'Rotar el secreto',
  rotateHint:
    'Crea un secreto nuevo. Mientras tanto, cada solicitud lleva ambas firmas, para que tu servidor pueda cambiar.',
  rotateAtOnce:
    'Crea un secreto nuevo. Desde ese momento solo firma él, porque la plataforma conoce una sola firma: ' +
    'dáselo a tu programa.',
  grace: 'Validez del secreto anterior',
  switchOff: 'Desactivar',
  switchOffQuestion: 'Ya no se entrega nada. Al activarlo, sigue donde se detuvo.',
  switchOn: 'Activar',
  switchOnQuestion: 'Sigue donde se detuvo: lo que pasó mientras tanto se entrega ahora.',
  remove: 'Eliminar',
  removeTitle: name => `¿Eliminar ${name}?`,
  removeQuestion: 'Su secreto y el registro de sus entregas desaparecen con él. No se puede deshacer.',

  offTitle: {
    switchedOff: 'Este destino está desactivado.',
    gone: 'Este destino está desactivado: respondió 410, así que ya no quiere eventos.',
    failing: 'Este destino está desactivado: falló durante cinco días.',
    secretLost: 'Este destino está desactivado: su secreto se selló con una clave que se perdió.',
  },
  offHint: 'No se pierde nada: al activarlo, sigue donde se detuvo, mientras los eventos se conserven.',
  offLostHint: 'Rota el secreto, dale el nuevo a tu servidor y activa el destino.',
  failingTitle: 'El último intento falló.',
  failingHint:
    'Abre una entrega de abajo para ver qué respondió tu servidor, corrígelo allí y elige “Reenviar”. ' +
    'Cada evento se intenta diez veces, en unos tres días. Tras cinco días solo con fallos, se desactiva.',
  untriedHint:
    'Aún no se ha entregado nada, o nada desde que se activó. ' +
    'Envía un evento de prueba para ver si tu servidor lo acepta.',

  test: 'Enviar un evento de prueba',
  testHint:
    'Un ejemplo, firmado como todos los eventos, cuyo ID empieza por evt_test. ' +
    'Se envía una vez, y no se guarda en ningún sitio.',
  tests: 'Eventos de prueba',
  testsHint: 'Lo enviado desde esta pestaña. No son entregas: el estado de arriba no cambia con ellos.',
  testType: 'Tipo',
  testSend: 'Enviar',
  testWorked: (status, ms) => `Tu servidor lo aceptó: ${status} tras ${ms}.`,
  testRefused: (status, ms) => `Tu servidor respondió ${status} tras ${ms}. Solo de 200 a 299 es un éxito.`,
  testLost: why => `No hubo una respuesta completa: ${why}`,
  answer: 'Respuesta',
  noAnswer: 'La respuesta estaba vacía.',

  lately: 'Últimas entregas',
  capacity: 'Puede recibir',
  capacityOf: (perSecond, ms) => `Unos ${perSecond} eventos por segundo (estimación), con respuestas en ${ms} ms`,
  latelyOf: {
    delivered: count => plural(count, '1 entregada', `${count} entregadas`),
    pending: count => `${count} en espera`,
    failed: count => plural(count, '1 fallida', `${count} fallidas`),
  },
  noneLately: 'Ninguna aún',
  deliveries: 'Entregas',
  noDeliveries: 'Aún no se ha entregado nada.',
  noneOfState: 'No hay ninguna en este estado.',
  showState: 'Mostrar',
  deliveryStates: { pending: 'Espera', delivered: 'Entregada', failed: 'Fallida' },
  event: 'Evento',
  type: 'Tipo',
  attempts: 'Intentos',
  lastAttempt: 'Último intento',
  nextAttempt: 'Próximo intento',
  whenOn: 'Cuando se active',
  status: 'Respuesta',
  duration: 'Tardó',
  firstBytes: 'Primeros bytes de la respuesta',
  attemptsKept: 'Los últimos intentos; los anteriores solo se cuentan.',
  delivery: 'Entrega',
  deliveryHints: {
    pending: 'Se reintenta automáticamente, hasta diez veces en unos tres días.',
    delivered: '',
    failed:
      'No se reintenta automáticamente. Lee abajo qué respondió tu servidor, corrígelo allí y entrégalo de nuevo.',
  },
  about: 'Sobre',
  aboutMessage: 'El mensaje',
  aboutContact: 'El contacto que escribió',
  eventId: 'ID del evento',
  body: 'Cuerpo',
  bodyOf: type => `cuerpo de ${type}`,
  bodyHint: 'Lo que enviaría el próximo intento.',
  bodyGone: 'El evento ya no se conserva.',

  replay: 'Reenviar',
  replayTitle: 'Entregar eventos de nuevo',
  replayHint: 'Tu servidor los recibe con los mismos ID, que le indican que ya los tenía.',
  replayWhat: 'Qué',
  replayChoices: { failed: 'Lo que falló o espera', all: 'Todos los eventos' },
  replaySince: 'Desde',
  replaySinceChoices: { '1': 'Hace una hora', '24': 'Hace un día', '168': 'Hace una semana', '720': 'Hace 30 días' },
  replayed: (count, isOne) => (isOne ? '1 evento se entrega de nuevo.' : `${count} eventos se entregan de nuevo.`),
  replayedNone: 'No hay nada que entregar de nuevo.',
  replayOne: 'Entregar de nuevo',
  replayedOff: 'Se entrega en cuanto el destino esté activado.',
})
