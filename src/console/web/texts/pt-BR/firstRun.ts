import type { firstRun as english } from '../en/firstRun.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** From nothing to the first delivered message. */
export const firstRun = isolating<WordsOf<typeof english>>({
  title: 'Primeiros passos',
  description:
    'Seis passos até seu programa enviar mensagens e saber o que acontece com elas. ' +
    'Esta lista fica até que todos estejam concluídos.',
  navigation: (done, all) => `Primeiros passos: ${done}\u00a0de\u00a0${all}`,
  done: 'Concluído',
  next: 'Próximo',
  later: 'A fazer',
  allDone: 'Tudo concluído: a primeira mensagem foi entregue, seu programa pode enviar e é avisado do que acontece.',
  toOverview: 'Ir para a visão geral',
  nextIs: step => `Próximo: ${step}`,
  go: 'Continuar os primeiros passos',
  needed: {
    member: 'Um membro do espaço de trabalho pode fazer isto.',
    admin: 'Um administrador do espaço de trabalho pode fazer isto.',
  },
  channel: {
    title: 'Canal',
    hint: 'Conecta a conta da plataforma de mensagens, com uma verificação do token na hora.',
    connect: 'Conectar uma conta',
    sandbox: 'Usar o sandbox',
    sandboxHint:
      'A plataforma deste gateway é o sandbox. ' +
      'Um clique conecta a conta dele, uma linha e os modelos; nenhuma mensagem chega a um celular.',
    callbacks: 'Nenhum callback chega ainda. Abra o canal e assine-os: eles informam o status das mensagens.',
    open: 'Abrir os canais',
  },
  line: {
    title: 'Linha',
    hint: 'Um número de telefone da conta, pelo qual mensagens são enviadas.',
    add: 'Adicione uma linha na página do canal.',
    open: 'Abrir as linhas',
  },
  templates: {
    title: 'Modelos',
    hint:
      'Uma mensagem para alguém que não escreveu nas últimas 24 horas precisa ser um modelo aprovado. ' +
      'O Waypost os carrega automaticamente.',
    open: 'Abrir os modelos',
  },
  message: {
    title: 'Primeira mensagem',
    open: 'Abrir as mensagens',
    hint: 'Envia um dos seus modelos aprovados a um número, com os exemplos dele: nenhum programa é necessário.',
    notApproved:
      'Nenhum modelo está aprovado ainda. O Waypost procura um a cada poucos minutos; ' +
      'então será possível enviar uma mensagem aqui.',
  },
  key: {
    title: 'Chave de API',
    hint: 'Com ela, seu programa envia mensagens e lê o que aconteceu com elas.',
    open: 'Abrir as chaves de API',
    create: 'Criar uma chave',
    label: 'Primeira chave',
    command: 'comando que envia uma mensagem',
    commandHint: 'Seu programa faz o mesmo que este comando. Experimente em um terminal:',
    secretHint: 'O comando contém o segredo, que é mostrado só uma vez. Guarde-o em um lugar seguro.',
  },
  webhook: {
    title: 'Webhook',
    hint: 'Avisa seu programa do que acontece: uma mensagem foi entregue ou falhou, um usuário escreveu.',
    own: 'Enquanto você o escreve, “waypost listen --forward-to” traz os eventos para a sua própria máquina.',
    open: 'Abrir os webhooks',
    add: 'Adicionar um destino',
  },
})
