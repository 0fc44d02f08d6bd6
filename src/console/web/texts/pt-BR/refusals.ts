import type { Said } from '../translator.ts'

/**
 * Why the gateway refuses something, by its English words. `{}` stands for what differs, `{1}` for the first of those.
 */
export const refusals: Said = {
  'No {} has this id.': 'Nada encontrado com este id ({1}).',
  'No API key has this id.': 'Nenhuma chave de API tem este id.',
  'No batch has this id.': 'Nenhuma campanha tem este id.',
  'No channel has this id.': 'Nenhum canal tem este id.',
  'No contact has this id.': 'Nenhum contato tem este id.',
  'No delivery has this id.': 'Nenhuma entrega tem este id.',
  'No line has this id.': 'Nenhuma linha tem este id.',
  'No message has this id.': 'Nenhuma mensagem tem este id.',
  'No request has this id.': 'Nenhum pedido tem este id.',
  'No template has this id.': 'Nenhum modelo tem este id.',
  'No webhook has this id.': 'Nenhum webhook tem este id.',
  'No workspace has this id.': 'Nenhum espaço de trabalho tem este id.',
  'is required': 'é obrigatório',
  'is not a known field': 'não é um campo conhecido',
  'is not an international number: country code first, 7 to 15 digits in all':
    'não é um número internacional: primeiro o código do país, de 7 a 15 dígitos ao todo',
  'ends in .0, as a spreadsheet writes a number that is no text: leave out the .0':
    'termina em .0, como uma planilha escreve um número: retire o .0',
  'has a trunk zero in parentheses, as in +49 (0)151…: leave out the (0)':
    'tem um zero entre parênteses, como +49 (0)151…: tire o (0)',
  'begins with 00, which only some countries dial before a country code: write + in its place':
    'começa com 00, que só alguns países discam antes do código do país: escreva + no lugar',
  'begins with 0, as it is dialled inside its country: write it as it is dialled from abroad, + and country code first':
    'começa com 0, como se disca dentro do país: escreva como se disca do exterior, primeiro + e o código do país',
  'must not have more than {} elements': 'não deve ter mais de {1} elementos',
  'must not have more than {} fields': 'não deve ter mais de {1} campos',
  'Too many failed sign-ins. Try again after Retry-After seconds.':
    'Muitas tentativas de entrada falharam. Tente mais tarde.',
  'The limit of {} changes in 15 minutes is reached. Try again after Retry-After seconds.':
    'O limite de {1} mudanças em 15 minutos foi atingido. Tente mais tarde.',
  'is not your password': 'não é a sua senha',
  'An authenticator app is set up. Remove it first.': 'Já há um aplicativo autenticador. Remova-o primeiro.',
  'is not the current code of the app': 'não é o código atual do aplicativo',
  'The app is already confirmed, or the set-up of another one has begun.':
    'O aplicativo já está confirmado, ou a configuração de outro começou.',
  'The email address or the password is wrong.': 'O e-mail ou a senha está errado.',
  'Send the password again with a code of your authenticator app, or a recovery code.':
    'Envie a senha com um código do seu aplicativo autenticador, ou um código de recuperação.',
  'The code is wrong, or it was used before.': 'O código está errado, ou já foi usado.',
  'The sign-in has ended. Sign in again.': 'A sessão terminou. Entre de novo.',
  'Somebody else has changed who has it. Look again.': 'Outra pessoa mudou quem a tem. Veja de novo.',
  'is no member who may answer': 'não é um membro que possa responder',
  'The sandbox is connected. {}': 'O sandbox está conectado. {1}',
  'The sandbox is connected, but its callbacks are not set up: {}.':
    'O sandbox está conectado, mas seus avisos não estão configurados: {1}.',
  'The upstream platform of this gateway is not the sandbox: connect an account instead.':
    'A plataforma deste gateway não é o sandbox: conecte uma conta.',
  'Use GET: there is no HEAD here.': 'Use GET: aqui não há HEAD.',
  'Sign in: send a valid access token as Authorization: Bearer.': 'Entre na sua conta.',
  'No such workspace.': 'Esse espaço de trabalho não existe.',
  'This needs the role {} in the workspace; yours is {}.':
    'Isto precisa do papel “{1}” no espaço de trabalho; o seu é “{2}”.',
  'This address answers only pages of this gateway.': 'Este endereço só responde a páginas deste gateway.',
  'Send the body as application/json.': 'Envie o corpo como application/json.',
  'The invitation is for {}, and you are signed in as {}.': 'O convite é para {1}, e você entrou como {2}.',
  '{} has an account. Sign in, then open the link again.': '{1} tem uma conta. Entre e abra o link de novo.',
  'This message is still waiting to be sent.': 'Esta mensagem ainda espera para ser enviada.',
  'The content of this message is no longer stored.': 'O conteúdo desta mensagem não está mais guardado.',
  'This link was used before, was replaced, or has expired.': 'Este link já foi usado, foi substituído ou expirou.',
  'Too many files are being uploaded. Try again after Retry-After seconds.':
    'Muitos arquivos estão sendo enviados. Tente daqui a pouco.',
  'No picture or video is the example of this header.': 'O exemplo deste cabeçalho não é imagem nem vídeo.',
  'The example cannot be fetched.': 'O exemplo não pôde ser obtido.',
  'The body is larger than {} bytes.': 'O corpo tem mais de {1} bytes.',
  'did not arrive within {} seconds': 'não chegou em {1} segundos',
  'ended before it was whole': 'terminou antes de estar completo',
  'Unexpected error on our side. Give the X-Request-Id when you report it.':
    'Erro inesperado do nosso lado. Informe o id do pedido ao avisar.',
  'The database cannot be used at the moment. Try again after Retry-After seconds.':
    'O banco de dados não pode ser usado agora. Tente daqui a pouco.',
  'No such route.': 'Essa rota não existe.',
  'No file of a user has this id.': 'Nenhum arquivo tem este id.',
  'The store of files cannot be read at the moment. Try again after Retry-After seconds.':
    'O armazenamento de arquivos não pode ser lido agora. Tente daqui a pouco.',
  ['Nothing was removed: {} to be sent {} the {} {}. Stop new ones (deactivate the line), wait until these are ' +
    'sent or cancel those that are scheduled, and try again.']:
    'Nada foi removido: ainda há mensagens à espera ({1}). Pare as novas (desative a linha), espere até serem ' +
    'enviadas ou cancele as agendadas, e tente de novo.',
  'must be a moment in the future': 'deve estar no futuro',
  'The API key {} is revoked and has no successor.': 'A chave de API {1} foi revogada e não tem sucessora.',
  'The API key {} has expired and has no successor.': 'A chave de API {1} expirou e não tem sucessora.',
  'must have an item': 'deve ter um item',
  'This idempotency key was used before with a different batch. Use a new key for a new batch.':
    'Esta chave de idempotência já foi usada com outra campanha. Use uma nova para uma campanha nova.',
  'The workspace has {} batches that have not ended: cancel some, or wait.':
    'O espaço de trabalho tem {1} campanhas não terminadas: cancele algumas, ou espere.',
  'must be in the future; leave it out to start at once': 'deve estar no futuro; sem hora começa já',
  'must be at most {} days ahead': 'deve ser no máximo daqui a {1} dias',
  'the batch has {} items, and not these behind them: go on with offset {}':
    'a campanha tem {1} itens, e não estes depois: continue com offset {2}',
  'would be more than {} in all': 'seriam mais de {1} ao todo',
  'Only a draft takes further items; this batch is {}.': 'Só um rascunho aceita mais itens; esta campanha está: {1}.',
  'The batch has no item yet.': 'A campanha ainda não tem itens.',
  'Only a batch that was started can be retried; this one is {}.':
    'Só uma campanha iniciada pode ser repetida; esta está: {1}.',
  '{} items wait, and the plan has {} messages left this month.':
    '{1} itens esperam, e o plano ainda tem {2} mensagens este mês.',
  '{} items wait, and the platform lets all numbers of the portfolio write first to {} new people a day.':
    '{1} itens esperam, e a plataforma deixa todos os números do portfólio escrever primeiro a {2} pessoas novas ' +
    'por dia.',
  'The contact was forgotten: nobody knows whom to block.': 'O contato foi esquecido: ninguém sabe quem bloquear.',
  'No line is active, so nobody can be blocked on one.': 'Nenhuma linha está ativa, então ninguém pode ser bloqueado.',
  'The person was not {} {}.{}': 'Não deu certo: {2}.{3}',
  'Nothing was changed: {}': 'Nada foi mudado: {1}',
  'Nothing was changed: the account {} is connected already.': 'Nada foi mudado: a conta {1} já está conectada.',
  ['Nothing was changed: the account {} is already connected in the workspace {}, and its callbacks go to only ' +
    'one of them. Is this the right account?']:
    'Nada foi mudado: a conta {1} já está conectada no espaço de trabalho {2}, e seus avisos vão só para um. É a ' +
    'conta certa?',
  'is the id of the {}, not that of a phone number': 'é o id de outra coisa ({1}), não o de um número de telefone',
  'The channel has a line with the upstream phone id {} already.': 'O canal já tem uma linha com o id de telefone {1}.',
  'The line is inactive, so it cannot be the default until it is activated.':
    'A linha está inativa; não pode ser a padrão até ser ativada.',
  'Callbacks are not set up: {}. {}': 'Os avisos não estão configurados: {1}. {2}',
  'The contact was forgotten: it gets no name.': 'O contato foi esquecido: não recebe nome.',
  'one of the lines is none of this workspace': 'uma das linhas não é deste espaço de trabalho',
  'Only an owner can make, change or remove an owner.':
    'Só um proprietário pode nomear, mudar ou remover um proprietário.',
  'The operator of this gateway has invited this address. That invitation counts until it is used or expires.':
    'O operador deste gateway convidou este endereço. Esse convite vale até ser usado ou expirar.',
  'The user {} is already a member of the workspace {}{}.': '{1} já é membro deste espaço de trabalho.',
  'Too many invitations are open. Withdraw some first.': 'Há convites abertos demais. Retire alguns primeiro.',
  'No user with the email {}.': 'Nenhum usuário tem o e-mail {1}.',
  'No such invitation.': 'Esse convite não existe.',
  'No such member.': 'Esse membro não existe.',
  'A workspace keeps at least one owner. Make somebody else an owner first.':
    'Um espaço de trabalho mantém pelo menos um proprietário. Nomeie antes outra pessoa.',
  'No authenticator app is set up.': 'Nenhum aplicativo autenticador está configurado.',
  'Only a message of unknown outcome can be settled; this one is {}.':
    'Só uma mensagem de resultado desconhecido pode ser resolvida; esta está: {1}.',
  'Only a message that waits for its time can be moved or cancelled; this one is {}.':
    'Só uma mensagem que espera sua hora pode ser movida ou cancelada; esta está: {1}.',
  'each {}': 'cada um: {1}',
  '“{}” is a word that opts out too': '“{1}” também é uma palavra de saída',
  'must have words, or be null': 'deve ter palavras, ou estar vazio',
  'The contact was forgotten: nobody knows who is meant.': 'O contato foi esquecido: ninguém sabe quem é.',
  'Too many sign-ins at once. Try again after Retry-After seconds.':
    'Muitas entradas ao mesmo tempo. Tente daqui a pouco.',
  'names no time zone, as Europe/Berlin does': 'não nomeia um fuso horário como Europe/Berlin',
  'must leave a day: nothing would ever be sent': 'deve deixar um dia: nada jamais seria enviado',
  '{}: the upstream platform asks for it; here it is not needed': '{1}: a plataforma o pede; aqui não é necessário',
  '{}: the upstream platform calls it so; here it is {}': '{1}: a plataforma o chama assim; aqui é {2}',
  'does not belong to the type {}': 'não pertence ao tipo {1}',
  'is required, unless {} is given': 'é obrigatório se faltar {1}',
  'must not be given together with {}: one message, one recipient':
    'não deve ser dado junto com {1}: uma mensagem, um destinatário',
  'is required, unless one of {} is given; {} when the template has no variables':
    'é obrigatório se nenhum de {1} for dado; {2} se o modelo não tiver variáveis',
  'must not be white space alone': 'não deve ter só espaços',
  'must be {}: the file begins with something else': 'deve ser {1}: o arquivo começa com outra coisa',
  'The templates of {} could not be read: {}': 'Os modelos de {1} não puderam ser lidos: {2}',
  'is not set for the channel': 'não está definido para o canal',
  'An example is uploaded with the app id of the channel, and it has none. Set it: channel set-app-id.':
    'Um exemplo é enviado com o id de aplicativo do canal, e ele não tem nenhum. Defina: channel set-app-id.',
  'The answer of the upstream platform was lost: it may have been {}. Read the list again before you repeat it.':
    'A resposta da plataforma se perdeu: talvez tenha sido feito. Leia a lista de novo antes de repetir.',
  'The upstream platform could not be reached: nothing was {}. Try again shortly.':
    'A plataforma não pôde ser alcançada: nada foi feito. Tente daqui a pouco.',
  'The secret of the webhook is lost: nothing can be signed until it is rotated.':
    'O segredo do webhook se perdeu: nada pode ser assinado até ser renovado.',
  'The workspace has {} endpoints already, which is as many as it may have. Remove one first.':
    'O espaço de trabalho já tem {1} endpoints, o máximo que pode ter. Remova um primeiro.',
  'Its secrets were changed at the same moment. Try again.':
    'Seus segredos foram mudados no mesmo momento. Tente de novo.',
  'must have one of eventId, failedSince and since': 'deve ter eventId, failedSince ou since',
  'A replay of this workspace is under way. Try again when it has ended.':
    'Uma repetição deste espaço de trabalho está em andamento. Tente quando terminar.',
  'This event is not kept any more, or has nothing to tell in the format of the endpoint.':
    'Este evento não está mais guardado, ou não tem nada a dizer no formato do endpoint.',
  'there is no event of this workspace with this id': 'não há evento deste espaço de trabalho com este id',
  'Only an owner of a workspace without a limit of the operator can make another one. Ask your operator.':
    'Só um proprietário de um espaço de trabalho sem limite do operador pode criar outro. Pergunte ao seu operador.',
  'An owner may have {} {} here, and you have as many. Ask your operator for another one.':
    'Um proprietário pode ter aqui {1} espaços de trabalho, e você já os tem. Peça outro ao seu operador.',
  'The operator allows {} messages a month at most.': 'O operador permite no máximo {1} mensagens por mês.',
  'names an authentication template, which the upstream platform sends to phone numbers alone':
    'nomeia um modelo de autenticação, que a plataforma só envia a números de telefone',
  'The template does not exist in templateLanguage; it exists in {}.':
    'O modelo não existe neste idioma; existe em {1}.',
  'The template is not approved: its status is {}{}, since {}.':
    'O modelo não foi aprovado: seu estado é {1}{2}, desde {3}.',
  "must name one of the template's languages: {}": 'deve nomear um dos idiomas do modelo: {1}',
  'authentication is for a phone number: the upstream platform sends no code to a user id':
    'a autenticação é para um número de telefone: a plataforma não envia código a um id de usuário',
  'needs a category': 'precisa de uma categoria',
  'Direct Send is switched off for the line: leave out category, or ask who runs the gateway to switch it on.':
    'Direct Send está desativado para a linha: tire a categoria, ou peça ao operador para ativar.',
  'must be {}: approved is this spelling alone': 'deve ser {1}: só esta grafia foi aprovada',
  '{} has several active lines and no default line: say in phoneNumberId which one to use.':
    'Há várias linhas ativas e nenhuma padrão: escolha uma.',
  'The API key may not send from the line that phoneNumberId names: it is limited to other lines.':
    'A chave de API não pode enviar desta linha: está limitada a outras.',
  '{} names no file of this workspace.': '{1} não nomeia nenhum arquivo deste espaço de trabalho.',
  'names a file that is not stored: {}': 'nomeia um arquivo que não está guardado: {1}',
  'the file {}': 'o arquivo {1}',
  'The upstream platform did not take the file: {}': 'A plataforma não aceitou o arquivo: {1}',
  'The upstream platform refused the message: {}': 'A plataforma recusou a mensagem: {1}',
  'The message was not sent: {}': 'A mensagem não foi enviada: {1}',
  ['The recipient wants no marketing messages, and this workspace or key does not send them then (onOptOut). ' +
    'Other messages reach it.']:
    'O destinatário não quer publicidade, e este espaço de trabalho não a envia então. Outras mensagens chegam.',
  '{} names no message of this workspace.': '{1} não nomeia nenhuma mensagem deste espaço de trabalho.',
  'names a message without an id of the upstream platform: it has none yet, or was erased':
    'nomeia uma mensagem sem id da plataforma: ainda não tem, ou foi apagada',
  '{} Nothing was accepted; try again shortly.': 'Há coisas demais em andamento. Nada foi aceito; tente daqui a pouco.',
  'This idempotency key was used before with a different body. Use a new key for a new message.':
    'Esta chave de idempotência já foi usada com outra mensagem. Uma mensagem nova precisa de outra.',
  'The line was removed while the message was sent.': 'A linha foi removida enquanto a mensagem era enviada.',
  'The monthly message limit of this workspace is reached.':
    'O limite mensal de mensagens deste espaço de trabalho foi atingido.',
  "The recipient's 24-hour window on the line is not open: send a template, or wait until the recipient writes.":
    'A janela de 24 horas do destinatário não está aberta nesta linha: envie um modelo, ou espere até ele escrever.',
  'It cannot be read any more.': 'Não pode mais ser lida.',
  'contactId names no contact of this workspace.': 'Esse contato não existe neste espaço de trabalho.',
  'must be 1 minute to 35 days ahead: from {} to {}; it is now {}':
    'deve ser de 1 minuto a 35 dias à frente: de {1} a {2}; agora é {3}',
  'The request is malformed. {}: {}': 'O pedido não está correto. {1}: {2}',
  '{} (and {} more)': '{1} (e mais {2})',
  '{}; this one is {}.': '{1}; esta está: {2}.',
  'The file has {} bytes, and none of them are in this range.':
    'O arquivo tem {1} bytes, e nenhum está neste intervalo.',
  'Only a draft or a scheduled batch can be started': 'Só uma campanha em rascunho ou agendada pode ser iniciada',
  'Only a running batch can be paused': 'Só uma campanha em andamento pode ser pausada',
  'Only a paused batch can be resumed': 'Só uma campanha em pausa pode ser retomada',
  'A batch that is done cannot be cancelled': 'Uma campanha terminada não pode ser cancelada',
  'says that it starts now: leave out sendAt, or this': 'diz que começa agora: omita sendAt, ou isto',
  'Only a draft or a scheduled batch gets another time; this batch is {}.':
    'Só um rascunho ou uma campanha agendada recebe outra hora; esta campanha está: {1}.',
  'The batch has no item with this number.': 'A campanha não tem nenhum item com este número.',
  'Only what still waits can be left out; this item is becoming a message, is one, or never will be.':
    'Só o que ainda espera pode ser deixado de fora; este item está sendo enviado, já é mensagem, ou nunca será.',
  'on {}, because {}': 'em {1}, porque {2}',
  'only who has written to the line within 24 hours can be blocked':
    'só pode ser bloqueado quem escreveu para a linha nas últimas 24 horas',
  'its list of {} blocked people is full: unblock somebody else first':
    'sua lista de {1} pessoas bloqueadas está cheia: desbloqueie outra antes',
  'the platform said: {}': 'a plataforma disse: {1}',
  'The upstream platform could not be reached': 'A plataforma não pôde ser alcançada',
  'The upstream platform gave no answer': 'A plataforma não respondeu',
  'It waited to be sent for longer than its ttlSeconds': 'Esperou para ser enviada mais do que ttlSeconds permite',
  'Its time passed more than {} minutes before the gateway was there to send it.':
    'A hora dela passou mais de {1} minutos antes de o gateway estar lá para enviá-la.',
  'must be in the future; leave it out to send it with the batch':
    'deve estar no futuro; sem hora é enviado com a campanha',
}
