import type { Said } from '../translator.ts'

/** What the codes of the platform (src/graph/codeTable.ts) and ours (src/base/errors.ts) mean, by the English words. */
export const reasons: Said = {
  'Account made too many calls': 'A conta fez chamadas demais',
  'The account or the app made too many calls.': 'A conta ou o aplicativo fez chamadas demais.',
  'Send it again later. If it happens often, send more slowly.':
    'Envie de novo mais tarde. Se acontecer muito, envie mais devagar.',
  'Line sent too fast': 'A linha enviou rápido demais',
  'The line sent too many messages in a short time.': 'A linha enviou mensagens demais em pouco tempo.',
  'Send it again later. If it happens often, lower the pace of the line.':
    'Envie de novo mais tarde. Se acontecer muito, reduza o ritmo da linha.',
  'Too many to this recipient': 'Demais para este destinatário',
  'Too many messages went to this recipient in a short time.':
    'Este destinatário recebeu mensagens demais em pouco tempo.',
  'Send it again later, and fewer messages to one person.':
    'Envie de novo mais tarde, e menos mensagens para uma mesma pessoa.',
  'Platform was overloaded': 'A plataforma estava sobrecarregada',
  'The platform was down or overloaded for a moment.':
    'A plataforma esteve fora do ar ou sobrecarregada por um momento.',
  'Send again later.': 'Envie de novo mais tarde.',
  'Line was being moved': 'A linha estava sendo movida',
  'The line was being moved to other hardware, which takes about a minute.':
    'A linha estava sendo movida para outro equipamento, o que leva cerca de um minuto.',
  'Send again in some minutes.': 'Envie de novo em alguns minutos.',
  'Refused without a clear reason': 'Recusado sem motivo claro',
  'The platform refused without a clear reason. It does not promise that nothing was sent.':
    'A plataforma recusou sem motivo claro. Ela não promete que nada foi enviado.',
  'Wait for a callback. Send again only if the recipient got nothing.':
    'Espere um aviso. Envie de novo só se nada chegou ao destinatário.',
  'Request was not accepted': 'O pedido não foi aceito',
  'The platform does not take this request.': 'A plataforma não aceita este pedido.',
  "Correct what the platform's words name. The same request would be refused again.":
    'Corrija o que a plataforma indica. O mesmo pedido seria recusado de novo.',
  'Not sent for now': 'Não enviado por enquanto',
  'The platform does not send this message for now.': 'A plataforma não envia esta mensagem por enquanto.',
  'Wait at least 24 hours before you try again.': 'Espere pelo menos 24 horas antes de tentar de novo.',
  'Platform limits the account': 'A plataforma limita a conta',
  'The platform limits the account.': 'A plataforma limita a conta no momento.',
  "Look at the account in the platform's own console, and do what it asks for.":
    'Veja a conta no console da plataforma e faça o que ele pede.',
  'Line or account is blocked': 'Linha ou conta bloqueada',
  'The line or the account may not send.': 'A linha ou a conta não pode enviar.',
  "Look at the account in the platform's own console: it says what is missing or restricted.":
    'Veja a conta no console da plataforma: ele diz o que falta ou está restrito.',
  'Access token not valid': 'O token de acesso não é válido',
  'The access token of the channel is not valid any more.': 'O token de acesso do canal não é mais válido.',
  'Make a new token in the platform and give it to the channel. Nothing can be sent before that.':
    'Crie um token novo na plataforma e dê ao canal. Antes disso nada pode ser enviado.',
  'The line sent more messages a second than it may.': 'A linha enviou mais mensagens por segundo do que pode.',
  'Line restricted after reports': 'Linha restrita após denúncias',
  'The line is restricted, because recipients reported or blocked it.':
    'A linha está restrita porque destinatários a denunciaram ou bloquearam.',
  'Send less and only to people who expect it. The restriction lasts for hours.':
    'Envie menos e só para quem espera. A restrição dura horas.',
  'Field or file not valid': 'Campo ou arquivo inválido',
  'A field of the request is not valid, misspelled or too long, or a file expired.':
    'Um campo do pedido não é válido, está mal escrito ou é longo demais, ou um arquivo expirou.',
  'Recipient is blocked by you': 'Você bloqueou o destinatário',
  'Your business has blocked the recipient on this line.': 'Sua empresa bloqueou o destinatário nesta linha.',
  'Unblock the person in the conversation, or do not write to this person any more.':
    'Desbloqueie a pessoa na conversa, ou não escreva mais para ela.',
  'Recipient is in an experiment': 'Destinatário em um experimento',
  'The recipient is part of an experiment of the platform and gets no marketing.':
    'O destinatário participa de um experimento da plataforma e não recebe publicidade.',
  'Nothing. The recipient gets other kinds of messages.': 'Nada. O destinatário recebe outros tipos de mensagens.',
  'Country is not allowed': 'País não permitido',
  'The account may not send to this country.': 'A conta não pode enviar para este país.',
  'Remove such recipients from your list.': 'Tire esses destinatários da sua lista.',
  'Required field is missing': 'Falta um campo obrigatório',
  'A required field is missing.': 'Falta um campo que é obrigatório.',
  'Value is not valid': 'O valor não é válido',
  'The value of a field is not valid.': 'O valor de um campo não é válido.',
  'Sender is the recipient': 'O remetente é o destinatário',
  'Sender and recipient are the same number.': 'O remetente e o destinatário são o mesmo número.',
  'Send to another number.': 'Envie para outro número.',
  'Number cannot be reached': 'O número não pode ser alcançado',
  'The message cannot be delivered: the number has no account, an old app, or has not accepted the terms.':
    'A mensagem não pode ser entregue: o número não tem conta, tem um aplicativo antigo ou não aceitou os termos.',
  ['Check the number with the recipient, or use another way to reach them. Some countries write one mobile number ' +
    'in two ways, with and without one more digit: perhaps the other one is known.']:
    'Confira o número com o destinatário, ou use outro caminho. Alguns países escrevem um número de celular de ' +
    'duas formas, com e sem um dígito a mais: talvez a outra seja conhecida.',
  'Not on the test list': 'Não está na lista de teste',
  "The recipient is not on the test line's list.": 'O destinatário não está na lista da linha de teste.',
  ["Add the number to the list in the platform's own console, or send from a real line. Some countries write one " +
    'mobile number in two ways, with and without one more digit: perhaps the other one is known.']:
    'Adicione o número à lista no console da plataforma, ou envie de uma linha real. Alguns países escrevem um ' +
    'número de celular de duas formas, com e sem um dígito a mais: talvez a outra seja conhecida.',
  'Over 24 hours without answer': 'Mais de 24 horas sem resposta',
  'For the platform, more than 24 hours have passed since the recipient wrote last.':
    'Para a plataforma, passaram mais de 24 horas desde que o destinatário escreveu pela última vez.',
  ['Send an approved template. Free texts are possible only within 24 hours of an answer. Where the window is ' +
    'shown as open, the platform may not have seen that answer yet: send it again.']:
    'Envie um modelo aprovado. Textos livres só são possíveis até 24 horas após uma resposta. Onde a janela ' +
    'aparece aberta, talvez a plataforma ainda não tenha visto essa resposta: envie de novo.',
  'Recipient stopped marketing': 'O destinatário não quer publicidade',
  'The recipient stopped marketing from this business.': 'O destinatário cancelou a publicidade desta empresa.',
  'Send no marketing to this person any more. Other categories still arrive.':
    'Não envie mais publicidade a esta pessoa. As outras categorias continuam chegando.',
  'Unknown kind of message': 'Tipo de mensagem desconhecido',
  'The platform does not know this kind of message.': 'A plataforma não conhece este tipo de mensagem.',
  'File could not be used': 'O arquivo não pôde ser usado',
  'A file could not be used: its type, its size or its address.':
    'Um arquivo não pôde ser usado: seu tipo, seu tamanho ou seu endereço.',
  ['Check that the link is public and that the file has a type and a size that the platform takes: of Opus, ' +
    'audio/ogg; codecs=opus, and for a voice message with one channel.']:
    'Confira se o link é público e se o arquivo tem um tipo e um tamanho que a plataforma aceita: de Opus, ' +
    'audio/ogg; codecs=opus, e para uma mensagem de voz com um só canal.',
  'Not for the marketing address': 'Não serve para o endereço publicitário',
  'This kind of message cannot be sent to the marketing address.':
    'Este tipo de mensagem não pode ser enviado ao endereço publicitário.',
  'Needs a phone number': 'Precisa de um número de telefone',
  'This message cannot be sent to a user id.': 'Esta mensagem não pode ser enviada a um id de usuário.',
  'Send it to the phone number.': 'Envie para o número de telefone.',
  'Values do not fit template': 'Os valores não cabem no modelo',
  'A value does not fit the template: its number, format or kind.':
    'Um valor não cabe no modelo: sua quantidade, formato ou tipo.',
  'Compare the values with the template on the templates page; it shows the exact keys.':
    'Compare os valores com o modelo na página de modelos; ela mostra as chaves exatas.',
  'Template missing or not approved': 'O modelo falta ou não foi aprovado',
  'The template does not exist in this language, or is not approved.':
    'O modelo não existe neste idioma, ou não foi aprovado.',
  'Look at the template on the templates page. The listing was read again.':
    'Veja o modelo na página de modelos. A lista foi lida de novo.',
  'Filled text is too long': 'O texto preenchido é longo demais',
  'The text is too long once its values are filled in.': 'O texto fica longo demais com os valores preenchidos.',
  'Send shorter values.': 'Envie valores mais curtos.',
  'Content is against the rules': 'O conteúdo viola as regras',
  'The content is against the rules of the platform.': 'O conteúdo viola as regras da plataforma.',
  'Change the content.': 'Mude o conteúdo.',
  'Template is disabled': 'O modelo está desativado',
  'The template is disabled for good.': 'O modelo está desativado para sempre.',
  'Make a new template.': 'Crie um modelo novo.',
  'Flow is blocked': 'O flow está bloqueado',
  'The flow is blocked.': 'A plataforma bloqueou o flow.',
  "Look at the flow in the platform's own console.": 'Veja o flow no console da plataforma.',
  'Values were not accepted': 'Os valores não foram aceitos',
  'The platform has a problem with the values, and does not say which.':
    'A plataforma tem um problema com os valores e não diz com qual.',
  'Identity of recipient changed': 'A identidade do destinatário mudou',
  "The recipient's identity key has changed.": 'A chave de identidade do destinatário mudou.',
  'Check with the recipient, then send again.': 'Confira com o destinatário e envie de novo.',
  'Line takes no calls': 'A linha não recebe chamadas',
  'The line does not take calls, so no message of it can have a button for one.':
    'A linha não recebe chamadas, então nenhuma mensagem dela pode ter um botão para ligar.',
  "Allow calls for the number in the platform's own console.":
    'Permita chamadas para o número no console da plataforma.',
  'Too much marketing for recipient': 'Publicidade demais ao destinatário',
  'The platform did not deliver it, to protect the recipient from too much marketing.':
    'A plataforma não a entregou, para proteger o destinatário de publicidade demais.',
  'Wait at least 24 hours, and send less marketing to this person.':
    'Espere pelo menos 24 horas e envie menos publicidade a esta pessoa.',
  'Template is paused': 'O modelo está em pausa',
  'The template is paused, because too many recipients gave a bad answer.':
    'O modelo está em pausa porque destinatários demais o avaliaram mal.',
  'Change the template, or wait until the platform sends it again.':
    'Mude o modelo, ou espere até a plataforma enviá-lo de novo.',
  'Flow is throttled': 'O flow está limitado',
  'The flow is throttled to ten messages an hour.': 'O flow está limitado a dez mensagens por hora.',
  "Correct the flow's endpoint, then send again later.": 'Corrija o endpoint do flow e envie de novo mais tarde.',
  'Template is not ready yet': 'O modelo ainda não está pronto',
  'The template is not ready for marketing yet.': 'O modelo ainda não está pronto para publicidade.',
  'Try again in some minutes.': 'Tente de novo em alguns minutos.',
  'Templates in wrong categories': 'Modelos em categorias erradas',
  'The account is limited, because it put templates into wrong categories.':
    'A conta está limitada porque pôs modelos em categorias erradas.',
  'Direct Send is blocked': 'Direct Send está bloqueado',
  'The platform has blocked Direct Send for the account.': 'A plataforma bloqueou o Direct Send para a conta.',
  "Send a template, or look at the account in the platform's own console.":
    'Envie um modelo, ou veja a conta no console da plataforma.',
  'App may not do this': 'O aplicativo não pode fazer isso',
  'The app may not use this function.': 'O aplicativo não pode usar esta função.',
  'Token lacks a permission': 'Falta uma permissão ao token',
  'The access token lacks a permission.': 'Falta uma permissão ao token de acesso.',
  'Give the token the permissions for messages.': 'Dê ao token as permissões para mensagens.',
  'Line was deleted': 'A linha foi excluída',
  'The line was deleted in the platform.': 'A linha foi excluída na plataforma.',
  'Remove the line here, or add it there again.': 'Remova a linha aqui, ou adicione-a de novo lá.',
  'Account restricted or locked': 'Conta restrita ou bloqueada',
  'The account is restricted or locked, because it broke a rule of the platform.':
    'A conta está restrita ou bloqueada porque violou uma regra da plataforma.',
  "Open the account in the platform's own console: it names the rule, and how to appeal.":
    'Abra a conta no console da plataforma: ele diz a regra e como recorrer.',
  'Line or account not found': 'Linha ou conta não encontrada',
  'The platform does not find the line or the account.': 'A plataforma não encontra a linha ou a conta.',
  'Permission is missing': 'Falta uma permissão',
  'A permission is missing.': 'Falta uma permissão para isto.',
  'Name of line not approved': 'Nome da linha não aprovado',
  'The name of the line is not approved yet.': 'O nome da linha ainda não foi aprovado.',
  "Have the display name approved in the platform's own console.":
    'Faça aprovar o nome de exibição no console da plataforma.',
  'Account has a payment problem': 'A conta tem um problema de pagamento',
  'The account has a problem with its payment.': 'A conta tem um problema com o pagamento.',
  "Check the payment method in the platform's own console.": 'Confira a forma de pagamento no console da plataforma.',
  'Number is not registered': 'O número não está registrado',
  'The number is not registered, or its PIN is wrong.': 'O número não está registrado, ou seu PIN está errado.',
  'Register the number by a call to the platform: /docs/meta-setup#number-registration.':
    'Registre o número com uma chamada à plataforma: /docs/meta-setup#number-registration.',
  'Marketing is switched off': 'A publicidade está desativada',
  'Marketing templates are switched off for the account.': 'Os modelos de publicidade estão desativados para a conta.',
  ['Register the number by a call to the platform: /docs/meta-setup#number-registration. If it is the ' +
    "recipient's: Some countries write one mobile number in two ways, with and without one more digit: perhaps the " +
    'other one is known.']:
    'Registre o número com uma chamada à plataforma: /docs/meta-setup#number-registration. Se for o do ' +
    'destinatário: Alguns países escrevem um número de celular de duas formas, com e sem um dígito a mais: talvez ' +
    'a outra seja conhecida.',
  'Payment terms not accepted': 'Termos de pagamento não aceitos',
  'The payment terms are not accepted yet.': 'Os termos de pagamento ainda não foram aceitos.',
  "Accept them in the platform's own console.": 'Aceite-os no console da plataforma.',
  'May not use marketing address': 'Não pode usar o endereço publicitário',
  'The account may not use the marketing address.': 'A conta não pode usar o endereço publicitário.',
  'The request is malformed; details.issues names every problem. Nothing was accepted.':
    'O pedido não está correto; details.issues indica cada problema. Nada foi aceito.',
  'The workspace has several active lines and no default: say which one in phoneNumberId.':
    'O espaço de trabalho tem várias linhas ativas e nenhuma padrão: diga qual em phoneNumberId.',
  'phoneNumberId, or lineId, names no line of this workspace.':
    'phoneNumberId ou lineId não nomeia nenhuma linha deste espaço de trabalho.',
  'The requested line is inactive.': 'A linha pedida está inativa.',
  'The workspace has no active line.': 'O espaço de trabalho não tem nenhuma linha ativa.',
  'The template exists, but the upstream platform has not approved it.':
    'O modelo existe, mas a plataforma não o aprovou.',
  'The credentials are missing, invalid or revoked.': 'As credenciais faltam, não valem ou foram revogadas.',
  'The monthly message limit is reached; details.resetsAt says when counting starts again.':
    'O limite mensal de mensagens foi atingido; details.resetsAt diz quando a contagem recomeça.',
  ['The API key may not do this: details.scope is the scope that it lacks, or details.phoneNumberIds are the only ' +
    'lines that it sends from.']:
    'A chave de API não pode fazer isso: details.scope é o escopo que falta, ou details.phoneNumberIds são as ' +
    'únicas linhas de que ela envia.',
  'No such route, template, contact, message or file; or the file is not stored.':
    'Essa rota, modelo, contato, mensagem ou arquivo não existe; ou o arquivo não está guardado.',
  'This idempotency key was used before with a different body.':
    'Esta chave de idempotência já foi usada com outro conteúdo.',
  'The send asked for an open window, and the recipient has none: a template may be sent. Nothing was accepted.':
    'Pediu-se uma janela aberta, e o destinatário não tem: um modelo pode ser enviado. Nada foi aceito.',
  'The send has a category, and Direct Send is switched off for the line. Nothing was accepted.':
    'O envio tem uma categoria, e o Direct Send está desativado para a linha. Nada foi aceito.',
  ['A marketing template to who wants no marketing messages, and the workspace or the key refuses those. Nothing ' +
    'was accepted.']:
    'Um modelo de publicidade para quem não quer publicidade, e o espaço de trabalho ou a chave recusa isso. Nada ' +
    'foi aceito.',
  'The state of what should be changed does not allow it.': 'O estado do que se quer mudar não permite.',
  'The body is larger than 128 KiB, or a file than 100 MB or MEDIA_STORAGE_MAX.':
    'O corpo passa de 128 KiB, ou um arquivo de 100 MB ou MEDIA_STORAGE_MAX.',
  'The body is not application/json.': 'O corpo não é application/json.',
  'The file ends before the range; details.size is its size.':
    'O arquivo termina antes do intervalo; details.size é o seu tamanho.',
  'Too many requests; try again after Retry-After seconds.':
    'Pedidos demais; tente de novo após os segundos de Retry-After.',
  'The upstream platform refused it (400: the request is at fault; 502: the platform or its credentials are).':
    'A plataforma recusou (400: a culpa é do pedido; 502: da plataforma ou das credenciais).',
  'Unexpected error on our side; the log has its cause under the request id.':
    'Erro inesperado do nosso lado; o log tem a causa sob o id do pedido.',
  'Not able to accept right now; nothing was accepted. Try again after Retry-After seconds.':
    'Não é possível aceitar agora; nada foi aceito. Tente de novo após os segundos de Retry-After.',
  'The password is right. Send it again with a code of the authenticator app, or a recovery code.':
    'A senha está certa. Envie-a de novo com um código do aplicativo autenticador ou de recuperação.',
}
