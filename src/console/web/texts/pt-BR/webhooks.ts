import type { webhooks as english } from '../en/webhooks.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'
import { shell } from './shell.ts'

const plural = pluralOf('pt-BR')

/** Webhooks: where the workspace's events are delivered. */
export const webhooks = isolating<WordsOf<typeof english>>({
  title: shell.titles.webhooks,
  description:
    'O Waypost envia ao seu próprio servidor o que acontece, assinado conforme Standard Webhooks: ' +
    'uma mensagem foi entregue, um usuário escreveu.',
  add: 'Adicionar um destino',
  none: 'Não há nenhum destino',
  noneHint:
    'Adicione o endereço do seu servidor, e ele recebe cada evento em um segundo. ' +
    'Os eventos também são uma lista da API.',
  noneViewer: 'Proprietários e administradores podem adicionar um.',
  one: 'Webhook',
  endpoint: 'Destino',
  id: 'ID do destino',
  url: 'Endereço',
  urlHint: 'Onde seu programa recebe os posts, como em https://example.com/hook.',
  name: 'Descrição',
  nameHint: 'Para que serve, como aparece nas listas.',
  format: 'Formato',
  formatHint: 'O que seu programa lê. Não muda: para outro formato, adicione outro destino.',
  formats: {
    events: 'Eventos deste gateway',
    platform: 'Callbacks da plataforma',
  },
  more: 'Mais: eventos, linhas, cabeçalhos',
  verifyToken: 'Token de verificação',
  verifyTokenHint: 'O que seu programa espera: ele mostra um, ou você cria um aqui e o define lá primeiro.',
  makeVerifyToken: 'Criar um',
  events: 'Eventos',
  eventsHint: 'Os habituais são todos menos message.queued e template.reported, que precisam ser escolhidos.',
  allOf: { events: 'Todos os eventos habituais', platform: 'Tudo sobre mensagens e pagamentos' },
  platformEventsHint: 'Indique um que não seja sobre uma mensagem só a um programa que o leia: alguns falham com ele.',
  lines: 'Linhas',
  linesHint: 'Eventos sobre mensagens de outras linhas são omitidos.',
  allLines: 'Todas as linhas',
  headers: 'Cabeçalhos próprios',
  headersHint: 'Um por linha, como em “Authorization: Bearer …”. São armazenados selados, e não são mostrados de novo.',
  headersKept: 'O que você escrever substitui os definidos; vazio, eles ficam.',
  headersDropped: 'O endereço é novo: os cabeçalhos definidos eram para o antigo, e são removidos. Escreva os do novo.',
  headersRemove: 'Remover os cabeçalhos definidos',
  headersForm: 'Escreva um cabeçalho por linha, como em “Authorization: Bearer …”.',
  hasHeaders: 'Definidos, não mostrados',
  state: 'Estado',
  all: 'Todas',
  ms: count => `${count} ms`,
  states: { works: 'Funciona', failing: 'Falha', off: 'Desativado', untried: 'Nada ainda' },
  lastDelivered: 'Última entrega',
  lastFailed: 'Última falha',
  created: 'Adicionado',
  types: count => `${count} tipos`,
  since: 'Desde',
  required: 'Digite um endereço.',
  chooseEvents: 'Escolha pelo menos um tipo.',
  chooseLines: 'Escolha pelo menos uma linha.',

  secrets: { events: 'Segredo', platform: 'Segredo, que seu programa chama de segredo do app (app secret)' },
  secretTitle: 'Destino adicionado',
  secretHint: 'Copie o segredo agora: com ele seu servidor verifica as assinaturas. Ele não é mostrado de novo.',
  rotatedTitle: 'Há um segredo novo',
  formerUntil: 'O segredo antigo também assina até',
  formerEnded: 'O segredo antigo não assina mais.',
  copied: 'Já copiei o segredo',

  edit: 'Editar',
  rotate: 'Rotacionar o segredo',
  rotateHint:
    'Cria um segredo novo. Enquanto isso, cada requisição leva as duas assinaturas, ' +
    'para que seu servidor possa trocar.',
  rotateAtOnce:
    'Cria um segredo novo. Só ele assina desde já, porque a plataforma conhece uma só assinatura: ' +
    'dê-o ao seu programa.',
  grace: 'Validade do segredo antigo',
  switchOff: 'Desativar',
  switchOffQuestion: 'Nada mais é entregue. Ao ser ativado, ele continua de onde parou.',
  switchOn: 'Ativar',
  switchOnQuestion: 'Ele continua de onde parou: o que aconteceu nesse meio-tempo é entregue agora.',
  remove: 'Remover',
  removeTitle: name => `Remover ${name}?`,
  removeQuestion: 'O segredo e o registro das entregas vão junto. Não dá para desfazer.',

  offTitle: {
    switchedOff: 'Este destino está desativado.',
    gone: 'Este destino está desativado: respondeu 410, então não quer mais eventos.',
    failing: 'Este destino está desativado: falhou por cinco dias.',
    secretLost: 'Este destino está desativado: o segredo dele foi selado com uma chave que se perdeu.',
  },
  offHint: 'Nada se perde: ao ser ativado, ele continua de onde parou, enquanto os eventos são guardados.',
  offLostHint: 'Rotacione o segredo, informe o novo ao seu servidor e ative o destino.',
  failingTitle: 'A última tentativa falhou.',
  failingHint:
    'Abra uma entrega abaixo para ver o que seu servidor respondeu, corrija lá e escolha “Reenviar”. ' +
    'Cada evento é tentado dez vezes, em cerca de três dias. Depois de cinco dias só de falhas, é desativado.',
  untriedHint:
    'Nada foi entregue ainda, ou nada desde que foi ativado. ' +
    'Envie um evento de teste para ver se seu servidor o aceita.',

  test: 'Enviar um evento de teste',
  testHint:
    'Um exemplo, assinado como todo evento, cujo ID começa com evt_test. ' +
    'É enviado uma vez, e não é armazenado em lugar nenhum.',
  tests: 'Eventos de teste',
  testsHint: 'O que foi enviado desta aba. Não são entregas: o estado acima não muda com eles.',
  testType: 'Tipo',
  testSend: 'Enviar',
  testWorked: (status, ms) => `Seu servidor o aceitou: ${status} após ${ms}.`,
  testRefused: (status, ms) => `Seu servidor respondeu ${status} após ${ms}. Só de 200 a 299 é sucesso.`,
  testLost: why => `Não houve uma resposta completa: ${why}`,
  answer: 'Resposta',
  noAnswer: 'A resposta estava vazia.',

  lately: 'Últimas entregas',
  capacity: 'Pode receber',
  capacityOf: (perSecond, ms) => `Cerca de ${perSecond} eventos por segundo (estimativa), com respostas em ${ms} ms`,
  latelyOf: {
    delivered: count => plural(count, `${count} entregue`, `${count} entregues`),
    pending: count => `${count} em espera`,
    failed: count => `${count} com falha`,
  },
  noneLately: 'Nenhuma ainda',
  deliveries: 'Entregas',
  noDeliveries: 'Nada foi entregue ainda.',
  noneOfState: 'Não há nenhuma neste estado.',
  showState: 'Mostrar',
  deliveryStates: { pending: 'Espera', delivered: 'Entregue', failed: 'Falha' },
  event: 'Evento',
  type: 'Tipo',
  attempts: 'Tentativas',
  lastAttempt: 'Última tentativa',
  nextAttempt: 'Próxima tentativa',
  whenOn: 'Quando for ativado',
  status: 'Resposta',
  duration: 'Levou',
  firstBytes: 'Primeiros bytes da resposta',
  attemptsKept: 'As últimas tentativas; as mais antigas só são contadas.',
  delivery: 'Entrega',
  deliveryHints: {
    pending: 'É tentada de novo automaticamente, até dez vezes em cerca de três dias.',
    delivered: '',
    failed:
      'Não é tentada de novo automaticamente. Leia abaixo o que seu servidor respondeu, corrija lá ' +
      'e entregue de novo.',
  },
  about: 'Sobre',
  aboutMessage: 'A mensagem',
  aboutContact: 'O contato que escreveu',
  eventId: 'ID do evento',
  body: 'Corpo',
  bodyOf: type => `corpo de ${type}`,
  bodyHint: 'O que a próxima tentativa enviaria.',
  bodyGone: 'O evento não está mais guardado.',

  replay: 'Reenviar',
  replayTitle: 'Entregar eventos de novo',
  replayHint: 'Seu servidor os recebe com os mesmos IDs, que indicam que ele já os teve.',
  replayWhat: 'O quê',
  replayChoices: { failed: 'O que falhou ou espera', all: 'Todos os eventos' },
  replaySince: 'Desde',
  replaySinceChoices: { '1': 'Há uma hora', '24': 'Há um dia', '168': 'Há uma semana', '720': 'Há 30 dias' },
  replayed: (count, isOne) => (isOne ? '1 evento é entregue de novo.' : `${count} eventos são entregues de novo.`),
  replayedNone: 'Não há nada a entregar de novo.',
  replayOne: 'Entregar de novo',
  replayedOff: 'É entregue assim que o destino estiver ativado.',
})
