import type { composer as english } from '../en/composer.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Writing in a conversation. */
export const composer = isolating<WordsOf<typeof english>>({
  label: name => `Escribir a ${name}`,
  placeholder: key => `Escribe… ${key} envía`,
  placeholderShort: 'Escribe…',
  send: 'Enviar',
  attach: 'Añadir un archivo',
  template: 'Enviar una plantilla',
  chooseTemplate: 'Elegir una plantilla…',
  closed:
    'Se puede enviar texto durante 24 horas después de que la persona escriba a esta línea. ' +
    'Hasta entonces se puede enviar una plantilla.',
  from: 'Desde',
  noLine: 'Ninguna línea de este espacio de trabajo está activa, así que no se puede enviar nada.',
  reply: words => `Responder a “${words}”`,
  replyToThem: 'Responder al contacto',
  replyToOwn: 'Responder a un mensaje propio',
  dropReply: 'No responder a este mensaje',
  dropFile: name => `Quitar ${name}`,
  uploading: 'Subiendo…',
  uploadAgain: 'Subir de nuevo',
  voice: 'Enviar como mensaje de voz',
  soundHasNoText: 'Un audio o un sticker no lleva texto: el tuyo se queda aquí y puede enviarse después.',
  notSendable:
    'WhatsApp no acepta archivos de este tipo. ' +
    'Se pueden enviar JPEG, PNG, MP4, PDF, Office, texto, audio y stickers WebP.',
  oneFile: 'Un archivo cada vez: envía primero este.',
  tooLarge: (what, size, max) => `${what} puede tener ${max} como máximo; tu archivo tiene ${size}.`,
  kinds: {
    image: 'Una imagen',
    video: 'Un video',
    audio: 'Un audio',
    document: 'Un documento',
    sticker: 'Un sticker',
  },
  tooLong: over => `Caracteres de más: ${over}`,
  tooMany: 'Hay demasiados mensajes esperando respuesta. Envíalos o quítalos primero.',
  waiting: 'Enviando',
  unanswered: 'Aún sin respuesta. Se reintenta automáticamente, y se envía una sola vez.',
  stopped: 'No llegó respuesta. “Enviar de nuevo” lo envía una sola vez, aunque el primer intento haya llegado.',
  notSent: 'No enviado:',
  again: 'Enviar de nuevo',
  edit: 'Editar',
  discard: 'Descartar',
  sentAgain: 'Enviado de nuevo',
  announceSent: 'Mensaje enviado',
  announceFailed: why => `Mensaje no enviado: ${why}`,
  dropHere: 'Suelta el archivo para añadirlo',
  pickTitle: 'Enviar una plantilla',
  searchTemplates: 'Buscar plantillas',
  noTemplates: 'Ninguna plantilla aprobada coincide.',
  otherTemplate: 'Otra plantilla',
  asksForNoneHint: 'La plataforma rechaza la publicidad para quienes la han detenido.',
  sendAnyway: 'Enviarla de todos modos',
  sendTemplate: 'Enviar la plantilla',
})
