import type { optOuts as english } from '../en/optOuts.ts'
import { isolating, type WordsOf } from '../isolated.ts'

export const optOuts = isolating<WordsOf<typeof english>>({
  title: 'Descadastros',
  save: 'Salvar os descadastros',
  hint: 'Com quais palavras as pessoas se descadastram da publicidade, e o que acontece com a publicidade para elas.',
  onOptOut: 'Modelos de publicidade para quem não a quer',
  onOptOutHint: 'Vale a categoria que a plataforma lhes dá agora. Uma chave de API pode ter a própria regra.',
  choices: { refuse: 'São recusados', send: 'São enviados' },
  asWorkspace: 'Como no espaço de trabalho',
  stopWords: 'Palavras que descadastram',
  stopWordsHint:
    'Separadas por vírgulas. Uma vale se for a mensagem inteira, em maiúsculas ou não. Vazio: nenhuma palavra.',
  startWords: 'Palavras que desfazem isso',
  startWordsHint: 'Valem da mesma forma.',
  answer: 'Resposta a quem se descadastra com uma palavra',
  answerHint: 'Uma mensagem comum, enviada uma vez. Vazio: nenhuma.',
  noAnswer: 'Nenhuma',

  refusedHint:
    'Este espaço de trabalho recusa publicidade para quem não a quer. Um administrador decide isso nas configurações.',
  toSettings: 'Configurações',

  sources: {
    platform: () => 'Disse à plataforma',
    word: word => `Escreveu “${word}”`,
    member: by => `Por ${by}`,
    key: by => `Pela chave de API ${by}`,
    operator: () => 'Por um comando',
  },
  acts: {
    stop: {
      label: 'Parar a publicidade…',
      title: 'Descadastrar esta pessoa da publicidade?',
      question: 'Para quem pediu de outra forma. As outras mensagens continuam chegando.',
      confirm: 'Parar a publicidade',
    },
    resume: {
      label: 'Permitir a publicidade…',
      title: 'Recadastrar esta pessoa?',
      question: 'Só se a pessoa pediu. O que ela disse à plataforma fica, e a plataforma segue isso.',
      confirm: 'Permitir a publicidade',
    },
  },
})
