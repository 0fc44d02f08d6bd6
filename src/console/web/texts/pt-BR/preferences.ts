import type { preferences as english } from '../en/preferences.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** What a user prefers of the console. */
export const preferences = isolating<WordsOf<typeof english>>({
  title: 'Preferências',
  hint: 'Valem em todos os dispositivos em que você entra, e são salvas na hora.',
  language: 'Idioma',
  languageHint: 'A página é recarregada nele. As mensagens ficam como foram escritas.',
  languageOfBrowser: 'O do navegador',
  enterSends: 'A tecla Enter em uma conversa',
  enterSendsHint: 'Se Enter envia, Shift+Enter começa uma nova linha. Ctrl+Enter, em um Mac ⌘+Enter, sempre envia.',
  enterChoices: {
    auto: 'Envia, exceto no celular',
    sends: 'Envia',
    breaks: 'Começa uma linha',
  },
  notifications: 'Avisar-me de novas mensagens em conversas',
  notificationsHint:
    'Por notificações do navegador, enquanto uma aba do console está aberta e você olha para outra coisa.',
  notificationChoices: { off: 'Não', mine: 'Nas minhas', all: 'Em todas' },
  sound: 'Com som',
  notificationText: 'Mostrar o que foi escrito',
  notificationTextHint: 'Sem isso, elas mostram só o nome. Outras pessoas podem ver sua tela.',
  unavailable: 'Este navegador só mostra notificações onde o console tem um endereço https://.',
  ask: 'A permissão ainda não foi pedida a este navegador.',
  allow: 'Permitir neste navegador',
  denied: 'Este navegador recusa notificações',
  deniedHint:
    'Ele não pergunta de novo. Permita-as para este endereço nas configurações do navegador, e recarregue a página.',
})
