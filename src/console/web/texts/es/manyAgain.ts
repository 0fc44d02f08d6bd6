import type { manyAgain as english } from '../en/manyAgain.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

/** Failed messages that are sent again, many at once. */
export const manyAgain = isolating<WordsOf<typeof english>>({
  title: '¿Enviar otra vez los mensajes fallidos?',
  offer: (count, shown) =>
    plural(count, 'Uno falló y se puede enviar otra vez.', `${shown} fallaron y se pueden enviar otra vez.`),
  none: 'Ninguno de estos se puede enviar otra vez.',
  counts:
    'Cada uno es un mensaje nuevo, tal como era, y cuenta para el límite mensual. ' +
    'Se envía una vez, por muchas veces que pulses.',
  noRates: 'Aquí no se sabe cuánto cuestan: no hay tarifas.',
  cost: sum => `Según las tarifas de los ajustes cuestan alrededor de ${sum}, si se cobran todos.`,
  withoutRate: (count, shown) => plural(count, 'Uno no tiene tarifa.', `${shown} no tienen tarifa.`),
  more: 'Estos son los más nuevos que cumplen los filtros. Busca los demás cuando estos se hayan enviado.',
  leftOutTitle: 'No incluidos',
  leftOut: {
    again: count => plural(count, 'Uno ya se envió otra vez', `${count} ya se enviaron otra vez`),
    unknown: count => plural(count, 'Uno quizá llegó', `${count} quizá llegaron`),
    waiting: count => plural(count, 'Uno aún espera', `${count} aún esperan`),
    notFailed: count => plural(count, 'Uno no falló', `${count} no fallaron`),
    recipient: count => plural(count, 'Uno falló por su destinatario', `${count} fallaron por sus destinatarios`),
    values: count =>
      plural(
        count,
        'Los valores de un mensaje no encajan: ábrelo y cámbialos',
        `Los valores de ${count} mensajes no encajan: ábrelos y cámbialos`,
      ),
    optedOut: count =>
      plural(count, 'Uno es publicidad para quien no la quiere', `${count} son publicidad para quien no la quiere`),
    notStored: count =>
      plural(count, 'El contenido de uno ya no está guardado', `El contenido de ${count} ya no está guardado`),
  },
  send: (count, shown) => plural(count, 'Enviar este otra vez', `Enviar estos ${shown} otra vez`),
  progress: (done, of) => `${done} de ${of} enviados`,
  sent: (count, shown) => plural(count, 'Un mensaje se envió otra vez.', `${shown} se enviaron otra vez.`),
  refused: (count, why) => `${count} rechazados: ${why}`,
})
