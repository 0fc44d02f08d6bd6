import type { settings as english } from '../en/settings.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Settings of the workspace and of the gateway. */
export const settings = isolating<WordsOf<typeof english>>({
  title: 'Configurações',
  save: 'Salvar o espaço',
  workspace: 'Espaço de trabalho',
  name: 'Nome',
  id: 'ID do espaço de trabalho',
  created: 'Criado',
  limit: 'Mensagens por mês',
  unlimited: 'Sem limite',
  limitHint: 'Um mês do calendário em UTC. Vazio: sem limite.',
  ceilingHint: ceiling =>
    `Um mês do calendário em UTC. O operador do gateway permite no máximo ${ceiling}; um menor você mesmo define.`,
  belowCeiling: (limit, ceiling) => `${limit} (o operador permite ${ceiling})`,
  limitOwner: 'Um proprietário do espaço de trabalho altera o limite mensal.',
  defaultLine: 'Linha padrão',
  defaultLineHint:
    'Para mensagens que não indicam linha. Sem ela, saem pela única ativa; se houver várias ativas, são recusadas.',
  noDefaultLine: 'Nenhuma',
  deleted: 'Mensagens que as pessoas apagam',
  deletedHint: 'Para todos, e também para chaves de API; também o que já foi apagado.',
  deletedChoices: { keep: 'Ficam, marcadas como apagadas', hide: 'Perdem o conteúdo' },
  gateway: 'Gateway',
  gatewayHint:
    'O operador as define para todos os espaços de trabalho, no ambiente do gateway; ' + 'mudanças exigem reiniciá-lo.',
  setting: 'Configuração',
  value: 'Valor',
  purpose: 'Finalidade',
  source: 'Origem',
  environment: 'Ambiente',
  fallback: 'Padrão',
  all: count => `Mostrar todas as ${count} configurações`,
  fewer: 'Só as definidas',
  isSandbox: 'Este gateway envia para o sandbox: nenhuma mensagem chega a um celular.',
  isLive: 'Este gateway envia para a plataforma de mensagens: as mensagens chegam a celulares, e custam dinheiro.',
  sandboxHint: 'Para testes, execute um segundo gateway com o sandbox:',
  sandboxCommand: 'comandos que iniciam o sandbox e um gateway nele',
})
