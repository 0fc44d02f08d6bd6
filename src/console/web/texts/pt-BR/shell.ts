import type * as english from '../en/shell.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

/** The frame around all pages. */
export const shell = isolating<WordsOf<typeof english.shell>>({
  product: 'Waypost',
  skipToContent: 'Ir para o conteúdo',
  navigation: 'Páginas do espaço de trabalho',
  /** Of pages whose words are loaded with them. */
  titles: {
    ...{ campaigns: 'Campanhas', audit: 'Auditoria', clients: 'Programas existentes', gateway: 'Gateway' },
    ...{ templates: 'Modelos', webhooks: 'Webhooks' },
  },
  /** So that a person finds them who looks for one by its name. */
  clientNames: 'Chatwoot, Typebot, Evolution API, Cloud API, token do Graph, callback, cliente',
  connectClient: 'Conecte o Chatwoot, o Typebot ou outro programa existente',
  openNavigation: 'Abrir a navegação',
  closeNavigation: 'Fechar a navegação',
  groups: { messages: 'Comunicação', connections: 'Conexões', workspace: 'Espaço de trabalho' },
  workspace: 'Espaço de trabalho',
  newWorkspace: 'Novo espaço de trabalho',
  newWorkspaceHint:
    'Ele tem seus próprios membros, canais, chaves e mensagens. Você é o proprietário, e convida outros. ' +
    'As configurações mostram quantos um proprietário pode criar.',
  workspaceName: 'Nome',
  createWorkspace: 'Criar espaço de trabalho',
  noWorkspaces: 'Você não é membro de nenhum espaço de trabalho.',
  noWorkspacesHint:
    'Peça a um proprietário ou administrador de um espaço de trabalho que convide você, e abra o link que receber.',
  account: 'Conta',
  accountOf: user => `${user}: conta e cores`,
  signOut: 'Sair',
  documentation: 'Referência da API',
  guides: 'Guias',
  colorScheme: 'Cores',
  colorSchemes: { light: 'Claro', dark: 'Escuro', auto: 'Sistema' },
  keyboardHelp: 'Atalhos de teclado',
  home: 'Ir para a visão geral',
  notFound: 'Esta página não existe.',
  notFoundHint: 'Confira o endereço, ou escolha uma página do menu.',
  notAllowed: 'Sua função não pode abrir esta página.',
  notAllowedHint: needed => `É preciso a função ${needed}. Peça a um proprietário do espaço de trabalho.`,
  notLoaded: 'Não foi possível carregar esta página.',
  notLoadedHint: 'A conexão caiu, ou o gateway foi atualizado. Recarregue a página.',
  reload: 'Recarregar',
  live: {
    live: 'Ao vivo',
    connecting: 'Conectando…',
    lost: 'Sem conexão',
    lostHint:
      'A página pode estar desatualizada. Ela se reconecta sozinha; ' +
      'um usuário pode ter no máximo dez páginas ao vivo de uma vez.',
    retry: 'Tentar agora',
  },
  titleOf: page => `${page} · Waypost`,
})

/** The search over the whole console, and its commands. */
export const palette = isolating<WordsOf<typeof english.palette>>({
  title: 'Busca e comandos',
  button: 'Buscar',
  placeholder: 'Busque, ou digite um comando',
  results: 'Resultados',
  pages: 'Páginas',
  commands: 'Comandos',
  workspaces: 'Espaços de trabalho',
  messagesWith: text => `Buscar “${text}” em todas as mensagens`,
  contactsWith: text => `Buscar “${text}” em todos os contatos`,
  conversationsWith: text => `Buscar “${text}” em todas as conversas`,
  guidesWith: text => `Buscar “${text}” nos guias`,
  failedWith: code => `Mensagens que falharam com ${code}`,
  meaningOf: code => `O que significa o erro ${code}`,
  sought: {
    '/messages': 'enviada falha erro',
    '/conversations': 'caixa de entrada chat resposta não lida',
    '/conversations?new=open': 'enviar escrever',
    '/contacts': 'bloquear descadastrar clientes',
    '/templates': 'enviar teste',
    '/api-keys': 'revogar bloquear token',
    '/usage': 'custo preço conta dinheiro',
    '/members': 'revogar função colegas',
  },
  openWorkspace: name => `Mudar para ${name}`,
  dark: 'Mudar para escuro',
  light: 'Mudar para claro',
  none: 'Nada encontrado.',
  failed: subjects => `Não foi possível buscar em: ${subjects}.`,
  count: count => plural(count, `${count} resultado`, `${count} resultados`),
})

/** The help on the keyboard. */
export const keyboard = isolating<WordsOf<typeof english.keyboard>>({
  title: 'Atalhos de teclado',
  palette: 'Buscar em tudo, ou executar um comando',
  search: 'Ir para a busca da página',
  down: 'Próximo item de uma lista',
  up: 'Item anterior de uma lista',
  open: 'Abrir o item',
  answer: 'Responder em uma conversa',
  nextUnread: 'Próxima conversa com algo não lido',
  take: 'Assumir a conversa',
  finish: 'A conversa está concluída',
  markUnread: 'Marcar a conversa como não lida',
  begin: 'Escrever uma nova mensagem',
  escape: 'Sair da busca, fechar um diálogo',
  help: 'Mostrar esta ajuda',
})
