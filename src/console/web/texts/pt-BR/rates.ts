import type { rates as english } from '../en/rates.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

/** The rates of a workspace, by which Usage estimates what messages cost. */
export const rates = isolating<WordsOf<typeof english>>({
  title: 'Tarifas da plataforma',
  hint: 'A plataforma diz o que cobra, mas não os valores. Com sua lista de preços, Uso mostra uma estimativa.',
  none: 'Ainda não há tarifas.',
  kept: (count, shown, currencies) => `${plural(count, `${shown} tarifa`, `${shown} tarifas`)} em ${currencies}, desde`,
  toUsage: 'Ver a estimativa',
  add: 'Adicionar tarifas',
  replace: 'Substituir as tarifas',
  remove: 'Remover as tarifas',
  removeTitle: 'Remover as tarifas?',
  removeHint: 'Uso deixa de mostrar estimativas. As contagens ficam.',
  choose: 'Escolher um arquivo CSV',
  file: 'Tarifas',
  fileHint:
    'Uma linha por país (duas letras, ou * para todos os outros) e categoria, com um ponto no preço. ' +
    'O mesmo arquivo é lido por “waypost costs --rates”.',
  missing: 'Escolha um arquivo ou cole suas linhas',
  save: 'Salvar as tarifas',
})
