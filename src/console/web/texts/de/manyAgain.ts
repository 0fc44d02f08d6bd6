import type { manyAgain as english } from '../en/manyAgain.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('de')

/** Failed messages that are sent again, many at once. */
export const manyAgain = isolating<WordsOf<typeof english>>({
  title: 'Gescheiterte Nachrichten noch einmal senden?',
  offer: (count, shown) =>
    plural(
      count,
      'Eine scheiterte und kann noch einmal gesendet werden.',
      `${shown} scheiterten und können noch einmal gesendet werden.`,
    ),
  none: 'Keine davon kann noch einmal gesendet werden.',
  counts:
    'Jede ist eine neue Nachricht, wie sie war, und zählt auf die Monatsgrenze. ' +
    'Sie wird einmal gesendet, wie oft Sie auch drücken.',
  noRates: 'Was sie kosten, ist hier nicht bekannt: Es gibt keine Preise.',
  cost: sum => `Nach den Preisen in den Einstellungen kosten sie etwa ${sum}, wenn alle berechnet werden.`,
  withoutRate: (count, shown) => plural(count, 'Eine hat keinen Preis.', `${shown} haben keinen Preis.`),
  more: 'Das sind die neuesten, die zu den Filtern passen. Sehen Sie nach den anderen, wenn diese gesendet sind.',
  leftOutTitle: 'Ausgelassen',
  leftOut: {
    again: count =>
      plural(count, 'Eine wurde schon noch einmal gesendet', `${count} wurden schon noch einmal gesendet`),
    unknown: count => plural(count, 'Eine ist vielleicht angekommen', `${count} sind vielleicht angekommen`),
    waiting: count => plural(count, 'Eine wartet noch', `${count} warten noch`),
    notFailed: count => plural(count, 'Eine scheiterte nicht', `${count} scheiterten nicht`),
    recipient: count => plural(count, 'Eine scheiterte an ihrem Empfänger', `${count} scheiterten an ihren Empfängern`),
    values: count =>
      plural(
        count,
        'Die Werte einer Nachricht passen nicht: öffnen Sie sie und ändern Sie die Werte',
        `Die Werte von ${count} Nachrichten passen nicht: öffnen Sie sie und ändern Sie die Werte`,
      ),
    optedOut: count =>
      plural(
        count,
        'Eine ist Werbung an jemanden, der keine will',
        `${count} sind Werbung an Personen, die keine wollen`,
      ),
    notStored: count =>
      plural(
        count,
        'Der Inhalt von einer ist nicht mehr gespeichert',
        `Der Inhalt von ${count} ist nicht mehr gespeichert`,
      ),
  },
  send: (count, shown) => plural(count, 'Diese noch einmal senden', `Diese ${shown} noch einmal senden`),
  progress: (done, of) => `${done} von ${of} gesendet`,
  sent: (count, shown) =>
    plural(count, 'Eine Nachricht wurde noch einmal gesendet.', `${shown} wurden noch einmal gesendet.`),
  refused: (count, why) => `${count} abgelehnt: ${why}`,
})
