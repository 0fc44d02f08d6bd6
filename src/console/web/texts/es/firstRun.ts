import type { firstRun as english } from '../en/firstRun.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** From nothing to the first delivered message. */
export const firstRun = isolating<WordsOf<typeof english>>({
  title: 'Primeros pasos',
  description:
    'Seis pasos hasta que tu programa envía mensajes y sabe qué pasa con ellos. ' +
    'Esta lista se queda hasta que todos estén hechos.',
  navigation: (done, all) => `Primeros pasos: ${done}\u00a0de\u00a0${all}`,
  done: 'Hecho',
  next: 'Siguiente',
  later: 'Pendiente',
  allDone: 'Todo hecho: el primer mensaje se entregó, tu programa puede enviar y se entera de lo que pasa.',
  toOverview: 'Ir al resumen',
  nextIs: step => `Siguiente: ${step}`,
  go: 'Continuar con los primeros pasos',
  needed: {
    member: 'Esto lo puede hacer un miembro del espacio de trabajo.',
    admin: 'Esto lo puede hacer un administrador del espacio de trabajo.',
  },
  channel: {
    title: 'Canal',
    hint: 'Conecta la cuenta de la plataforma de mensajería, comprobando el token en vivo.',
    connect: 'Conectar una cuenta',
    sandbox: 'Usar el sandbox',
    sandboxHint:
      'La plataforma de este gateway es el sandbox. ' +
      'Un clic conecta su cuenta, una línea y sus plantillas; ningún mensaje llega a un teléfono.',
    callbacks: 'Aún no llegan callbacks. Abre el canal y suscríbelos: informan del estado de los mensajes.',
    open: 'Abrir los canales',
  },
  line: {
    title: 'Línea',
    hint: 'Un número de teléfono de la cuenta, desde el que se envían mensajes.',
    add: 'Añade una línea en la página del canal.',
    open: 'Abrir las líneas',
  },
  templates: {
    title: 'Plantillas',
    hint:
      'Un mensaje a alguien que no ha escrito en las últimas 24 horas tiene que ser una plantilla aprobada. ' +
      'Waypost las carga automáticamente.',
    open: 'Abrir las plantillas',
  },
  message: {
    title: 'Primer mensaje',
    open: 'Abrir los mensajes',
    hint: 'Envía una de tus plantillas aprobadas a un número, con sus ejemplos: no hace falta ningún programa.',
    notApproved:
      'Aún no hay ninguna plantilla aprobada. Waypost busca una cada pocos minutos; ' +
      'entonces se podrá enviar un mensaje aquí.',
  },
  key: {
    title: 'Clave de API',
    hint: 'Con ella, tu programa envía mensajes y lee qué pasó con ellos.',
    open: 'Abrir las claves de API',
    create: 'Crear una clave',
    label: 'Primera clave',
    command: 'comando que envía un mensaje',
    commandHint: 'Tu programa hace lo mismo que este comando. Pruébalo en una terminal:',
    secretHint: 'El comando contiene el secreto, que solo se muestra una vez. Guárdalo en un lugar seguro.',
  },
  webhook: {
    title: 'Webhook',
    hint: 'Avisa a tu programa de lo que pasa: un mensaje se entregó o falló, un usuario escribió.',
    own: 'Mientras lo escribes, “waypost listen --forward-to” trae los eventos a tu propia máquina.',
    open: 'Abrir los webhooks',
    add: 'Añadir un destino',
  },
})
