import type { entry as english } from '../en/entry.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Signing in, the set-up link and invitations. */
export const entry = isolating<WordsOf<typeof english>>({
  signIn: 'Entrar',
  email: 'E-mail',
  password: 'Senha',
  newPassword: 'Nova senha',
  newPasswordHint: '12 caracteres ou mais, por exemplo uma frase curta.',
  repeatPassword: 'Repita a senha',
  passwordsDiffer: 'As duas senhas são diferentes.',
  passwordShort: 'Precisa ter pelo menos 12 caracteres.',
  name: 'Seu nome (opcional)',
  forgotten: 'Esqueceu a senha? O operador deste gateway pode definir uma nova: waypost user reset-password',
  firstUser:
    'É um gateway novo? Abra o link de configuração que ele mostrou ao iniciar, ' +
    'ou execute: waypost user setup-link',
  ended: 'Sua sessão terminou. Entre de novo: você volta para onde estava, e os rascunhos são mantidos.',
  code: 'Código',
  codeHint: 'Seis dígitos do seu app autenticador, ou um código de recuperação.',
  codeWanted: 'A senha está correta. Digite um código para continuar.',
  otherAccount: 'Usar outra conta',
  setUp: 'Configurar o Waypost',
  setUpHint: 'Você cria o primeiro usuário, que é proprietário de tudo aqui e pode convidar outros.',
  setUpExisting: 'Você passa a ser proprietário dos espaços de trabalho existentes.',
  workspaceName: 'Nome do espaço de trabalho',
  workspaceNameHint: 'Por exemplo, o nome da sua empresa. Você pode adicionar outros depois.',
  createAccount: 'Criar conta',
  linkGone: 'Este link não funciona mais.',
  setUpGoneHint: 'Funciona uma vez e por 30 minutos. Reinicie o gateway, ou execute: waypost user setup-link.',
  invitationGoneHint: 'Funciona uma vez e por sete dias. Peça outro.',
  invitation: workspace => `Participar de ${workspace}`,
  invitedBy: (by, email, role) => `${by} convida ${email} como ${role}.`,
  join: 'Participar',
  joinAs: email => `Você entrou como ${email}. Quer participar com esta conta?`,
  accountReset: 'O operador redefiniu a conta deste endereço. Defina uma nova senha para usá-la.',
  setPassword: 'Definir senha e participar',
  signInToJoin: 'Já existe uma conta com este endereço. Entre para participar.',
  notYourAccount: 'O endereço é seu, mas a conta não? Peça ao operador deste gateway: waypost user add --reset.',
  otherUser: email => `Você entrou como ${email}. Saia primeiro e abra o link de novo.`,
  toSignIn: 'Ir para o login',
})
