import type { composer as english } from '../en/composer.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Writing in a conversation. */
export const composer = isolating<WordsOf<typeof english>>({
  label: name => `Escrever para ${name}`,
  placeholder: key => `Escreva… ${key} envia`,
  placeholderShort: 'Escreva…',
  send: 'Enviar',
  attach: 'Adicionar um arquivo',
  template: 'Enviar um modelo',
  chooseTemplate: 'Escolher um modelo…',
  closed:
    'Dá para enviar texto por 24 horas depois que a pessoa escreve para esta linha. ' +
    'Até lá, dá para enviar um modelo.',
  from: 'De',
  noLine: 'Nenhuma linha deste espaço de trabalho está ativa, então nada pode ser enviado.',
  reply: words => `Responder a “${words}”`,
  replyToThem: 'Responder ao contato',
  replyToOwn: 'Responder a uma mensagem própria',
  dropReply: 'Não responder a esta mensagem',
  dropFile: name => `Remover ${name}`,
  uploading: 'Carregando…',
  uploadAgain: 'Carregar de novo',
  voice: 'Enviar como mensagem de voz',
  soundHasNoText: 'Um áudio ou uma figurinha não leva texto: o seu fica aqui e pode ser enviado depois.',
  notSendable:
    'O WhatsApp não aceita arquivos deste tipo. ' +
    'Dá para enviar JPEG, PNG, MP4, PDF, Office, texto, áudio e figurinhas WebP.',
  oneFile: 'Um arquivo por vez: envie este primeiro.',
  tooLarge: (what, size, max) => `${what} pode ter no máximo ${max}; seu arquivo tem ${size}.`,
  kinds: {
    image: 'Uma imagem',
    video: 'Um vídeo',
    audio: 'Um áudio',
    document: 'Um documento',
    sticker: 'Uma figurinha',
  },
  tooLong: over => `Caracteres a mais: ${over}`,
  tooMany: 'Há mensagens demais esperando resposta. Envie ou remova essas primeiro.',
  waiting: 'Enviando',
  unanswered: 'Ainda sem resposta. A tentativa se repete sozinha, e o envio é um só.',
  stopped: 'Não veio resposta. “Enviar de novo” envia uma só vez, mesmo que a primeira tentativa tenha chegado.',
  notSent: 'Não enviada:',
  again: 'Enviar de novo',
  edit: 'Editar',
  discard: 'Descartar',
  sentAgain: 'Enviada de novo',
  announceSent: 'Mensagem enviada',
  announceFailed: why => `Mensagem não enviada: ${why}`,
  dropHere: 'Solte o arquivo para adicioná-lo',
  pickTitle: 'Enviar um modelo',
  searchTemplates: 'Buscar modelos',
  noTemplates: 'Nenhum modelo aprovado corresponde.',
  otherTemplate: 'Outro modelo',
  asksForNoneHint: 'A plataforma recusa publicidade para quem a interrompeu.',
  sendAnyway: 'Enviar mesmo assim',
  sendTemplate: 'Enviar o modelo',
})
