import type * as english from '../en/people.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

/** Members of a workspace, and invitations. */
export const members = isolating<WordsOf<typeof english.members>>({
  title: 'Membros',
  description: 'Quem pode entrar neste espaço de trabalho, e o que cada um pode fazer.',
  email: 'E-mail',
  name: 'Nome',
  role: 'Função',
  roleHints: {
    viewer: 'Vê tudo, menos chaves, convites de membros e a auditoria.',
    member: 'Envia mensagens e edita modelos.',
    admin: 'Gerencia chaves, canais, linhas, configurações e membros.',
    owner: 'Pode fazer tudo, e torna outros proprietários.',
  },
  since: 'Membro desde',
  lastHere: 'Última atividade',
  signedOut: 'Saiu',
  neverSignedIn: 'Nunca entrou',
  you: 'você',
  secondFactor: 'App autenticador',
  withSecondFactor: 'Configurado',
  withoutSecondFactor: 'Não configurado',
  changeRole: 'Mudar a função',
  changeRoleOf: email => `Função de ${email}`,
  remove: 'Remover',
  removeTitle: email => `Remover ${email}?`,
  removeQuestion:
    'A pessoa perde o acesso na hora. Uma conta sem outro espaço de trabalho é apagada e precisa de um novo convite.',
  invite: 'Convidar',
  inviteTitle: 'Convidar alguém',
  inviteHint: 'Você recebe um link para dar à pessoa. Ele funciona uma vez, por sete dias.',
  invited: 'Compartilhe este link',
  invitedHint: email =>
    `Envie-o a ${email} em particular: qualquer pessoa que o tenha pode participar. ` +
    'Só o hash é armazenado: ele não pode ser mostrado de novo.',
  link: 'Link do convite',
  done: 'Já copiei o link',
  invitations: 'Convites abertos',
  noInvitations: 'Nenhum convite aberto.',
  invitedBy: 'Convidado por',
  expires: 'Expira',
  withdraw: 'Retirar',
  withdrawTitle: email => `Retirar o convite de ${email}?`,
  withdrawQuestion: 'O link dele deixa de funcionar.',
  none: 'Não há membros.',
})

/** The user's own account. */
export const account = isolating<WordsOf<typeof english.account>>({
  title: 'Conta',
  profile: 'Perfil',
  name: 'Nome',
  nameHint: 'Outras pessoas o veem ao lado do seu e-mail.',
  password: 'Senha',
  passwordHint: 'Uma nova senha encerra todas as suas outras sessões.',
  currentPassword: 'Senha atual',
  changePassword: 'Mudar a senha',
  passwordChanged(ended) {
    if (ended === 0) return 'Sua senha foi alterada.'
    const others = plural(ended, 'outra sessão foi encerrada', `outras ${ended} sessões foram encerradas`)
    return `Sua senha foi alterada, e ${others}.`
  },
  app: 'App autenticador',
  appHint: 'Com ele, para entrar é preciso um código do seu celular, além da senha.',
  appOn: 'Configurado',
  appOff: 'Não configurado',
  codesLeft: count => `Códigos de recuperação restantes: ${count}.`,
  fewCodes: 'Crie novos códigos antes que acabem.',
  setUp: 'Configurar',
  next: 'Próximo',
  scanTitle: 'Escaneie o código com seu app',
  scanHint: 'Serve qualquer app de códigos de uso único. Se não puder escanear, digite a chave.',
  qrName: 'Código QR para o app autenticador',
  key: 'Chave',
  code: 'Código que o app mostra',
  confirm: 'Confirmar',
  codesTitle: 'Guarde seus códigos de recuperação',
  codesHint:
    'Cada um vale uma vez no lugar de um código, se você perder o celular. ' +
    'Guarde-os bem: eles não podem ser mostrados de novo.',
  codes: 'Códigos de recuperação',
  codesKept: 'Já os guardei',
  newCodes: 'Novos códigos de recuperação',
  newCodesHint: 'Seus códigos atuais deixam de funcionar.',
  remove: 'Remover o app',
  removeHint: 'Depois disso, só a senha basta para entrar.',
  sessions: 'Sessões',
  sessionsHint: 'Onde sua conta está aberta. Saia do que não reconhecer, e mude sua senha.',
  device: 'Navegador',
  unknownDevice: 'Navegador desconhecido',
  thisBrowser: 'Este navegador',
  network: 'Rede',
  unknownNetwork: 'Desconhecida',
  signedIn: 'Entrada',
  lastUsed: 'Último uso',
  endThisTitle: 'Sair deste navegador?',
  endThisQuestion: 'É o que você usa agora: precisará entrar de novo para continuar.',
  signOutEverywhere: 'Sair de todos os navegadores',
  signOutQuestion: 'Todos os seus navegadores, incluindo este, precisarão entrar de novo.',
})
