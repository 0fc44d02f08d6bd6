import type { overview as english } from '../en/overview.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

const lowered = (verb: string) => verb.charAt(0).toLowerCase() + verb.slice(1)

const templateStates: Readonly<Record<string, string>> = {
  REJECTED: 'rejeitou',
  DISABLED: 'desativou',
}

const offReasons: Readonly<Record<string, string>> = {
  gone: 'respondeu 410',
  failing: 'falhou por cinco dias',
  secretLost: 'o segredo dele se perdeu',
}

const whoLimits = (what: string) => (what === 'ceiling' ? ' O operador do gateway definiu este limite.' : '')
const moreThan = (count: string) => `mais de ${count}`

export const pauseReasons: Readonly<Record<string, string>> = {
  template: 'a plataforma pausou, desativou ou excluiu o modelo dela',
  line: 'a plataforma restringe ou bloqueia a linha dela',
  payment: 'a plataforma exige um pagamento',
  failures: 'mais de 20 dos últimos 100 itens falharam',
  plan: 'as mensagens deste mês se esgotaram',
  key: 'a chave de API com que ela envia foi revogada ou expirou',
  late: 'a hora dela tinha passado havia muito quando o gateway pôde iniciá-la',
  restored: 'o banco de dados é de um backup, e uma parte pode ter sido enviada desde então',
}

/** The first page of a workspace. */
export const overview = isolating<WordsOf<typeof english>>({
  title: 'Visão geral',
  days: days => `${days} dias`,
  period: 'Período',
  messagesByDay: 'Mensagens por dia',
  messagesByDayHint: 'Pelo dia em que foram aceitas (UTC), com o status atual.',
  noMessages: 'Nada foi enviado neste período.',
  noMessagesHint: 'Envie sua primeira mensagem com uma chave de API; ela aparece no gráfico.',
  series: {
    read: 'Lidas',
    delivered: 'Entregues',
    sent: 'Enviadas',
    failed: 'Com falha',
    unknown: 'Desconhecidas',
  },
  day: 'Dia',
  messages: 'Mensagens',
  deliveryRate: 'Entregues',
  readRate: 'Lidas',
  readRateHint: 'Das entregues',
  timeToDeliver: 'Tempo de entrega',
  timeToDeliverHint: p95 => `95% em até ${p95}`,
  noDelivery: 'Nenhuma entrega ainda',
  waiting: 'Em espera',
  waitingHint: 'Na fila agora',
  plan: 'Aceitas este mês',
  planUsed: (used, limit) => `${used} de ${limit}`,
  unlimited: 'Sem limite mensal',
  planResets: 'A contagem recomeça em',
  failures: 'Por que mensagens falharam',
  noFailures: 'Nenhuma falhou neste período.',
  failureCount: count => `${count} ×`,
  failureShow: 'Vê-las',
  unnamedCause: 'Sem motivo indicado',
  health: 'Linhas e callbacks',
  healthHint: 'Os últimos envios de cada linha: até 40, dos últimos sete dias.',
  noLines: 'Nenhuma linha está conectada.',
  standard: 'Linha padrão',
  callbacks: 'Callbacks',
  lastCallback: 'Último callback:',
  attention: 'Precisa da sua atenção',
  allWell: 'Nada precisa da sua atenção.',
  allElseWell: 'Nada mais precisa da sua atenção.',
  more: count => `Mostrar mais ${count}`,
  putAway: {
    verb: 'Ocultar',
    undo: 'Mostrar de novo',
    by: name => `Ocultado por ${name},`,
    count: count => plural(count, `${count} oculto`, `${count} ocultos`),
  },
  severities: { bad: 'Urgente', warning: 'Aviso', note: 'Nota' },
  findings: {
    noChannel: () => 'Nenhum canal está conectado, então nada pode ser enviado.',
    noActiveLine: () => 'Nenhuma linha está ativa, então nada pode ser enviado.',
    pausedBatch: ({ name, template, what }) => `A campanha ${name} parou sozinha: ${pauseReasons[template] ?? what}.`,
    noDefaultLine: ({ count }) =>
      `${count} linhas estão ativas e nenhuma é a padrão: envios que não indicam linha são recusados.`,
    refusedToken: ({ name, count, isOne }) =>
      `A plataforma recusa o token de acesso da conta ${name}: ` +
      `${isOne ? 'a linha dela não envia' : `as ${count} linhas dela não enviam`} nada.`,
    failingLine: ({ name, count, of, what }) =>
      `${count} das últimas ${of} mensagens da linha ${name} falharam` +
      `${what === '' ? '' : `, a maioria com: ${what}`}.`,
    lowQuality: ({ name, what }) =>
      `A qualidade da linha ${name} está baixa (${what}). ` +
      'Envie só o que as pessoas esperam: senão, o limite dela é reduzido.',
    backlog: ({ count, isOne }) => `${isOne ? '1 mensagem espera' : `${count} mensagens esperam`} na fila.`,
    keyWithoutLine: ({ name }) =>
      `A chave de API ${name} não pode usar nenhuma linha: todas as linhas dela foram removidas.`,
    endingKey: ({ name, until }) => `A chave de API ${name} expira em ${until}.`,
    noKey: () => 'Não há nenhuma chave de API, então nenhum programa pode enviar.',
    callbacks({ name, what }) {
      if (what === 'none')
        return (
          `Nenhum callback da conta ${name} chegou ainda: ` +
          'as mensagens ficam em “Enviada”, e o que os usuários escrevem não chega.'
        )
      return what === 'unsigned'
        ? `O último callback para a conta ${name} não tinha assinatura: não veio da plataforma.`
        : `O último callback da conta ${name} foi recusado: a assinatura não foi feita com o segredo do app.`
    },
    restricted: ({ name, what, until }) => `A plataforma restringe ${name}${until ? ` até ${until}` : ''}: ${what}.`,
    stoppedLine: ({ name, what }) =>
      `A plataforma parou a conta ${name} ou uma linha dela${what === '' ? '' : ` (código ${what})`}: ` +
      'nada pode ser enviado por ali até que o aviso no Business Manager seja tratado.',
    sharedAccount: ({ count }) => `${count} canais têm a mesma conta; os callbacks dela chegam a apenas um deles.`,
    unknownMessages: ({ count, isOne, isMore }) =>
      `${isOne ? '1 mensagem' : `${isMore ? moreThan(count) : count} mensagens`} com resultado desconhecido.`,
    limitReached: ({ of, what }) =>
      `Todas as ${of} mensagens deste mês foram usadas: envios são recusados.${whoLimits(what)}`,
    planLimit: ({ count, of, until, what }) =>
      `${count} de ${of} mensagens deste mês foram usadas.` +
      (until ? ` Neste ritmo, o limite é atingido em ${until}.` : '') +
      whoLimits(what),
    lateBackup: ({ what }) =>
      what ? `Nenhum backup do gateway pode ser feito: ${what}.` : 'O backup do gateway está atrasado.',
    lateUpload: ({ what }) =>
      what
        ? `Os backups do gateway são feitos, mas não enviados: ${what}.`
        : 'Os últimos backups do gateway ainda não estão no bucket.',
    noBackups: () => 'Nada faz backups do banco de dados do gateway.',
    databaseLocked: () =>
      'Outro programa mantém um bloqueio no banco de dados: envios são recusados até que ele termine.',
    clockJumped: () => 'A hora do gateway deu um salto: o relógio dele precisa ser sincronizado.',
    // What was done comes in English from the gateway.
    upgraded: ({ what }) => `O gateway foi atualizado: ${what}.`,
    manyFailures: ({ count, of }) => `${count} de ${of} mensagens da última semana falharam.`,
    template: ({ template, language, what, count, isOne, isMore }) =>
      isMore
        ? `${isOne ? 'Outro modelo foi rejeitado ou pausado' : `Outros ${count} modelos foram rejeitados ou pausados`}.`
        : `A plataforma ${templateStates[what] ?? 'parou'} o modelo ${template} (${language}).`,
    pausedTemplate: ({ template, language, what, until }) =>
      `A plataforma pausou o modelo ${template} (${language})${until ? ` até ${until}` : ''}, ` +
      `porque ${what === 'RATE_LIMITING_PAUSE' ? 'foi enviado com frequência demais' : 'as pessoas o avaliaram mal'}` +
      `${what === '' ? '' : ` (${what})`}.`,
    oldKeys: ({ count, isOne }) => `${isOne ? '1 chave de API tem' : `${count} chaves de API têm`} mais de 90 dias.`,
    webhookOff: ({ name, what }) => `O webhook ${name} não recebe mais eventos: ${offReasons[what] ?? ''}.`,
    webhookFailing: ({ name }) => `O webhook ${name} não aceita eventos.`,
    update: ({ what }) => `A plataforma informa sobre a conta: ${what}.`,
  },
  moreThan,
  /** What is done about a finding. It also ends a sentence: “Um administrador pode substituir o token.” */
  cures: {
    noChannel: 'Conectar uma conta',
    noActiveLine: 'Ativar uma linha',
    pausedBatch: 'Abrir a campanha',
    noDefaultLine: 'Definir a linha padrão',
    noKey: 'Criar uma chave',
    keyWithoutLine: 'Criar outra chave',
    endingKey: 'Rotacionar a chave',
    refusedToken: 'Substituir o token',
    failingLine: 'Ver as mensagens com falha dela',
    lowQuality: 'Abrir o canal',
    backlog: 'Ver as mensagens em espera',
    callbacks: 'Verificar os callbacks',
    restricted: 'Ler o aviso',
    stoppedLine: 'Ler o aviso',
    sharedAccount: 'Comparar os canais',
    unknownMessages: 'Resolvê-las',
    planLimit: 'Ver o limite',
    lateBackup: 'Ver os backups',
    lateUpload: 'Ver os backups',
    databaseLocked: 'Ver quem o mantém',
    clockJumped: 'Ver o gateway',
    upgraded: 'Ver o gateway',
    manyFailures: 'Ver as mensagens com falha',
    template: 'Abrir o modelo',
    templates: 'Ver os modelos',
    oldKeys: 'Rotacioná-las',
    webhook: 'Abrir o webhook',
    update: 'Ler o aviso',
  },
  whoCan: {
    viewer: verb => `Você pode ${lowered(verb)}.`,
    member: verb => `Um membro pode ${lowered(verb)}.`,
    admin: verb => `Um administrador pode ${lowered(verb)}.`,
    owner: verb => `Um proprietário pode ${lowered(verb)}.`,
  },
})
