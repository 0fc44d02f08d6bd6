import type { manyAgain as english } from '../en/manyAgain.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

/** Failed messages that are sent again, many at once. */
export const manyAgain = isolating<WordsOf<typeof english>>({
  title: 'Enviar de novo as mensagens com falha?',
  offer: (count, shown) =>
    plural(count, `${shown} falhou e pode ser enviada de novo.`, `${shown} falharam e podem ser enviadas de novo.`),
  none: 'Nenhuma destas pode ser enviada de novo.',
  counts:
    'Cada uma é uma mensagem nova, como era, e conta para o limite mensal. ' +
    'É enviada uma vez, não importa quantas vezes você pressione.',
  noRates: 'Aqui não se sabe quanto custam: não há tarifas.',
  cost: sum => `Pelas tarifas das configurações custam cerca de ${sum}, se todas forem cobradas.`,
  withoutRate: (count, shown) => plural(count, `${shown} não tem tarifa.`, `${shown} não têm tarifa.`),
  more: 'Estas são as mais novas que atendem aos filtros. Procure as outras quando estas tiverem sido enviadas.',
  leftOutTitle: 'Não incluídas',
  leftOut: {
    again: count => plural(count, `${count} já foi enviada de novo`, `${count} já foram enviadas de novo`),
    unknown: count => plural(count, `${count} talvez tenha chegado`, `${count} talvez tenham chegado`),
    waiting: count => plural(count, `${count} ainda espera`, `${count} ainda esperam`),
    notFailed: count => plural(count, `${count} não falhou`, `${count} não falharam`),
    recipient: count =>
      plural(count, `${count} falhou por causa do destinatário`, `${count} falharam por causa dos destinatários`),
    values: count =>
      plural(
        count,
        'Os valores de uma mensagem não servem: abra-a e altere-os',
        `Os valores de ${count} mensagens não servem: abra-as e altere-os`,
      ),
    optedOut: count =>
      plural(count, `${count} é publicidade para quem não a quer`, `${count} são publicidade para quem não a quer`),
    notStored: count =>
      plural(
        count,
        `O conteúdo de ${count} não está mais guardado`,
        `Os conteúdos de ${count} não estão mais guardados`,
      ),
  },
  send: (_, shown) => `Enviar ${shown} de novo`,
  progress: (done, of) => `${done} de ${of} enviadas`,
  sent: (count, shown) => plural(count, `${shown} mensagem foi enviada de novo.`, `${shown} foram enviadas de novo.`),
  refused: (count, why) => `${count} recusadas: ${why}`,
})
