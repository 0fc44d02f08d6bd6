import type * as english from '../en/channel.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Connecting an account. */
export const connect = isolating<WordsOf<typeof english.connect>>({
  title: 'Conectar uma conta',
  description:
    'Você precisa do ID da conta, de um token de acesso e do segredo do app. ' +
    'O token e o segredo são armazenados criptografados e nunca mais mostrados.',
  guideTitle: 'Onde encontrá-los',
  guideLink: 'Passo a passo, no guia',
  // The names in quotes are those of the platform's pages.
  guide: [
    'Abra o painel de apps da Meta e escolha seu app (do tipo “Business”).',
    'WhatsApp, “API Setup”: copie o “WhatsApp Business Account ID”.',
    '“Business settings”, “System users”: gere um token com whatsapp_business_messaging e ' +
      'whatsapp_business_management, sem expiração.',
    '“App settings”, “Basic”: copie “App secret” e “App ID”.',
  ],
  accountId: 'ID da conta',
  accountIdHint: '“WhatsApp Business Account ID”: dígitos.',
  accessToken: 'Token de acesso',
  accessTokenHint: 'De um usuário do sistema. Um token temporário expira em um dia.',
  appSecret: 'Segredo do app',
  appSecretHint: 'Verifica os callbacks, para que só a plataforma possa informar uma entrega.',
  appId: 'ID do app',
  appIdHint: 'Opcional: necessário para modelos com um arquivo no cabeçalho.',
  addLines: 'Adicionar os números da conta como linhas',
  submit: 'Verificar e conectar',
  againTitle: 'Substituir os segredos dela?',
  againQuestion: accountId =>
    `A conta ${accountId} já está conectada. ` +
    'O token de acesso e o segredo do app são substituídos por estes; as linhas ficam.',
  again: 'Substituir',
  checked: 'O token é testado na conta antes que algo seja armazenado.',
  secretRule: 'Uma só palavra, sem espaços.',
  digitsRule: 'Só dígitos.',
  requiredRule: 'Obrigatório.',
})

/** The page of one channel. */
export const channel = isolating<WordsOf<typeof english.channel>>({
  check: 'Verificar',
  accessTitle: 'Acesso',
  accessHint: 'Os segredos são armazenados criptografados. Podem ser substituídos, mas nunca lidos.',
  accountOk: 'O token de acesso funciona para a conta.',
  accountBad: 'O token de acesso não funciona: as linhas não enviam nada. Substitua o token de acesso.',
  platformSays: message => `O que foi respondido: ${message}`,
  subscription: {
    here: 'A plataforma envia callbacks a este gateway.',
    nowhere: 'A plataforma não envia callbacks. Assine-os.',
    elsewhere: 'A plataforma envia callbacks a outro endereço:',
    unknown: 'A plataforma não diz para onde vão os callbacks.',
  },
  noLine: number => `Ainda não é uma linha: ${number}`,
  add: 'Adicionar',
  callbackTitle: 'Callbacks',
  callbackHint:
    'Os callbacks informam o status das mensagens e o que os usuários escrevem. ' +
    'Assine-os com um clique, ou mostre o token e copie os dois valores no painel de apps da Meta: ' +
    'WhatsApp, “Configuration”, “Webhook”.',
  callbackUrl: 'URL de callback',
  verifyToken: 'Token de verificação',
  showVerifyToken: 'Mostrar o token',
  noPublicUrl: 'O gateway não tem endereço público',
  noPublicUrlHint:
    'Por isso não é possível assinar os callbacks. ' +
    'Quem o opera define em PUBLIC_URL o endereço https:// em que a plataforma o alcança, e o reinicia.',
  subscribe: 'Assinar callbacks',
  subscribed: url => `Os callbacks chegam a ${url}.`,
  cutOff: ids => `Os callbacks da mesma conta não chegam mais a ${ids}.`,
  setToken: 'Substituir o token de acesso',
  setAppSecret: 'Substituir o segredo do app',
  setAppId: 'Definir o ID do app',
  replaceAppId: 'Substituir o ID do app',
  replace: 'Substituir',
  disconnectTitle: 'Desconectar',
  disconnectHint: 'Remove o canal de vez, com suas linhas, modelos e segredos. As mensagens ficam.',
  disconnect: 'Desconectar a conta',
  disconnectQuestion: 'As linhas param de enviar na hora. Depois, remova da plataforma o endereço de callback.',
  opened: (count, isMore) =>
    'Pessoas a quem se escreveu primeiro nas últimas 24 horas, até onde se sabe: ' +
    `${isMore ? 'pelo menos ' : ''}${count}. O limite conta as de todo o portfólio.`,
  addLine: 'Adicionar uma linha',
  lineNumber: 'Número',
  lineNumberHint: 'Com o código do país: +49 30 123456.',
  upstreamPhoneId: 'ID do número na plataforma',
  upstreamPhoneIdHint: 'No painel de apps da Meta: WhatsApp, “API Setup”, “Phone number ID”.',
})

/** What can be done with a line. */
export const line = isolating<WordsOf<typeof english.line>>({
  copyId: 'Copiar id da linha',
  makeDefault: 'Tornar padrão',
  noDefault: 'Deixar de ser padrão',
  noDefaultNext: 'Mensagens que não indicam linha saem da única ativa; se houver várias, são recusadas.',
  activate: 'Ativar',
  deactivate: 'Desativar',
  deactivateQuestion: number => `${number} para de enviar. Mensagens já aceitas ainda são enviadas.`,
  name: 'Mudar o nome',
  label: 'Nome',
  labelHint: 'Aparece ao lado do número onde se escolhe uma linha: Berlim. Vazio: só o número.',
  rate: 'Alterar o ritmo',
  directSend: 'Permitir Direct Send',
  directSendNext:
    'Envios com categoria saem sem modelo e sem a janela de 24 horas, e são cobrados como modelos. ' +
    'A plataforma precisa ter habilitado isso, e restringe contas que abusam.',
  noDirectSend: 'Recusar Direct Send',
  noDirectSendNext: 'Envios com categoria são recusados a partir de agora.',
  perSecond: 'Mensagens por segundo',
  perSecondHint: 'A plataforma permite 80 a uma linha nova. 0: sem limite de ritmo.',
  pairSeconds: 'Segundos entre mensagens para um mesmo destinatário',
  pairSecondsHint: 'A plataforma permite uma a cada 6 segundos. 0: sem limite de ritmo.',
  remove: 'Remover',
  removeTitle: number => `Remover ${number}?`,
  removeQuestion: 'É removida de vez. As mensagens dela ainda podem ser lidas.',
})
