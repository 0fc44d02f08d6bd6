import type { usage as english } from '../en/usage.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

/** What counts against the monthly limit. */
export const usage = isolating<WordsOf<typeof english>>({
  title: 'Uso',
  description: 'O que conta para o limite mensal, e com o que foi enviado. Os meses são em UTC.',
  notRefused: 'Mensagens recusadas não contam.',
  refused: (count, shown) => plural(count, `${shown} recusada não conta.`, `${shown} recusadas não contam.`),
  daysHint: 'As recusadas também.',
  chooseMonth: 'Mês',
  sent: count => plural(count, 'mensagem', 'mensagens'),
  unit: 'mensagens',
  unlimited: count => plural(count, 'mensagem, sem limite', 'mensagens, sem limite'),
  scheduled: (count, shown) => plural(count, `${shown} agendada`, `${shown} agendadas`),
  forecast: day => `No ritmo da última semana, o limite é atingido em ${day}.`,
  resets: 'A contagem recomeça em',
  reached: 'O limite foi atingido: envios são recusados até lá.',
  months: 'Por mês',
  parts: {
    title: 'Por linha, modelo e chave',
    by: 'Contadas por',
    kinds: { line: 'Linhas', template: 'Modelos', key: 'Chaves de API' },
    one: { line: 'Linha', template: 'Modelo', key: 'Chave de API' },
    none: { line: '', template: 'Texto e mensagens interativas', key: 'Enviadas no console' },
    unnamed: 'Chave sem nome',
    share: 'Parcela',
    ofAll: 'Do total',
    counted: 'Contado até',
    next: 'Próxima contagem:',
    missing: (count, shown, all) =>
      plural(
        count,
        `${shown} de ${all} mensagens ainda não foi contada.`,
        `${shown} de ${all} mensagens ainda não foram contadas.`,
      ),
    hint:
      'Uma mensagem é contada de 10 a 20 minutos depois de aceita, ' +
      'também uma que falhou ou foi apagada desde então.',
    empty: 'Nenhuma mensagem neste mês',
  },
  prices: {
    title: 'O que a plataforma cobra',
    hint: 'De mensagens que foram entregues.',
    noRates: 'A plataforma não informa valores: com suas tarifas há uma estimativa.',
    adminGives: 'Um administrador as informa nas configurações.',
    toRates: 'Tarifas nas configurações',
    estimateHint: 'A estimativa segue as tarifas de',
    notTakenOff: 'O que a plataforma dá de graça não é descontado.',
    withoutRate: (count, shown) =>
      plural(count, `${shown} mensagem cobrada sem tarifa.`, `${shown} mensagens cobradas sem tarifa.`),
    partWithoutRate: count => `${count} sem tarifa`,
    cost: 'Custo',
    about: amount => `Cerca de ${amount}`,
    charged: count => `${count} cobradas`,
    notCharged: count => `${count} sem cobrança`,
    unreported: (count, shown) =>
      plural(
        count,
        `De mais ${shown} a plataforma ainda não informou o preço.`,
        `De mais ${shown} a plataforma ainda não informou o preço.`,
      ),
    addRates: 'Adicionar tarifas',
    by: 'Somado por',
    groupings: { category: 'Categoria', country: 'País', both: 'Ambos' },
    category: 'Categoria',
    country: 'País do destinatário',
    billable: 'Cobradas',
    billableUnit: 'cobradas',
    free: 'Não cobradas',
    freeUnit: 'sem cobrança',
    estimate: 'Estimativa',
    unknownCountry: 'Desconhecido',
    save: 'CSV por dia',
    empty: 'A plataforma não informou nenhum preço neste mês',
    emptyHint: 'Ela faz isso ao informar uma entrega.',
    categories: {
      marketing: 'Marketing',
      utility: 'Utilidade',
      authentication: 'Autenticação',
      authentication_international: 'Autenticação, internacional',
      service: 'Serviço',
      marketing_lite: 'Marketing, lite',
      referral_conversion: 'Depois de um clique em um anúncio',
      group_marketing: 'Marketing em um grupo',
      group_utility: 'Utilidade em um grupo',
      group_service: 'Serviço em um grupo',
      general_purpose_ai: 'Assistente de IA',
      other: 'Outra',
    },
  },
  messages: 'Mensagens',
  days: 'Mensagens por dia',
  empty: 'Nada foi enviado ainda',
  emptyHint: 'Cada mensagem que a plataforma aceita conta uma vez, no mês em que o gateway a aceitou.',
})
