import type { contacts as english } from '../en/contacts.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** The people who get messages. */
export const contacts = isolating<WordsOf<typeof english>>({
  title: 'Contatos',
  add: 'Novo contato',
  addConfirm: 'Adicionar',
  search: 'Nome, @usuário, número ou ID…',
  searchLabel: 'Buscar contatos',
  columns: {
    name: 'Nome',
    phone: 'Número de telefone',
    window: 'Prazo de resposta',
    heard: 'Escreveu por último',
    created: 'Conhecido desde',
  },
  order: 'Ordem',
  orders: { '': 'Mais novos', heard: 'Último a escrever' },
  onlyTemplates: 'Só modelos',
  unnamed: 'Sem nome',
  forgottenName: 'Contato esquecido',
  noMarketing: 'Não quer publicidade',
  only: { unread: 'Não lidas', open: 'Pode ser respondido', noMarketing: 'Sem publicidade' },
  blocked: 'Bloqueado',
  blockedOn: 'Bloqueado em',
  rename: 'Editar o nome',
  renameHint: 'Até a pessoa escrever e mostrar outro nome.',
  openConversation: 'Abrir em Conversas',
  block: 'Bloquear…',
  blockTitle: name => `Bloquear ${name}?`,
  blockHint:
    'O que a pessoa escrever não chega mais, e nada pode ser enviado para ela. Vale na linha da conversa e em cada ' +
    'outra para a qual ela escreveu nas últimas 24 horas. Você pode desbloquear a qualquer momento.',
  blockConfirm: 'Bloquear',
  unblock: 'Desbloquear…',
  unblockTitle: name => `Desbloquear ${name}?`,
  unblockHint: 'A pessoa pode escrever de novo para todas as suas linhas, e você pode responder.',
  unblockConfirm: 'Desbloquear',
  emptyTitle: 'Nenhum contato ainda',
  emptyHint:
    'Um contato é criado quando alguém escreve para uma das suas linhas. ' +
    'Mensagens para números de telefone não precisam de contato.',
  noneTitle: 'Nenhum contato corresponde',
  noneHint: 'Busque pelo número completo, ou por uma parte do nome ou do nome de usuário; ou mostre todos.',

  one: 'Contato',
  facts: 'Detalhes',
  id: 'ID do contato',
  phone: 'Número de telefone',
  phoneHint: 'Com o código do país, como em +4930123456',
  optional: 'opcional',
  username: 'Nome de usuário',
  userId: 'ID de usuário na plataforma',
  created: 'Conhecido desde',
  allMessages: 'Todas as mensagens para este número',
  optOut: 'Preferências',
  optOutNone: 'Recebe publicidade: a pessoa não se opôs.',
  preferenceStop: category => `Não quer ${category}`,
  preferenceResume: category => `Voltou a querer ${category}`,
  categories: { marketing_messages: 'publicidade' },
  history: 'Conversa',
  flows: 'Fluxos',
  flowOpen: 'Aberto',
  flowClosed: { reply: 'Respondido', revalidated: 'Fechado por um envio posterior', refused: 'Recusado' },
  flowMessage: 'Aberto por uma mensagem',
  end: 'Bloquear ou esquecer',
  blockSays: 'Você não recebe nada desta pessoa nem pode enviar nada a ela até desbloquear.',
  blockTooLate:
    'Só é possível bloquear quem escreveu para você nas últimas 24 horas: a plataforma não aceita mais ninguém.',
  forgetSays: 'Apaga para sempre o número, o nome e as mensagens. As estatísticas ficam.',
  forget: 'Esquecer…',
  forgetTitle: 'Esquecer este contato?',
  forgetHint:
    'O número e o nome são apagados na hora, e depois o conteúdo de todas as mensagens, de vez. ' +
    'Um histórico longo leva alguns minutos. Contagens e status ficam. ' +
    'Se a pessoa escrever de novo, um contato novo é criado.',
  forgetWord: 'esquecer',
  forgetConfirm: 'Apagar',
})
