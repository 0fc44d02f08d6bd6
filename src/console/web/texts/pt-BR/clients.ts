import type { clients as english } from '../en/clients.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { shell } from './shell.ts'

/** Clients that were written for the platform (docs/drop-in.md). Portuguese says programs: clients are customers. */
export const clients = isolating<WordsOf<typeof english>>({
  title: shell.titles.clients,
  description:
    'Caixas de entrada, bots e scripts escritos para a WhatsApp Cloud API falam com este gateway ' +
    'assim que têm o endereço dele e um token.',
  line: 'Linha',
  off: 'Programas existentes são respondidos quando este gateway é iniciado com GRAPH_API=on.',
  guide: 'Guia de programas existentes',

  addressTitle: 'Endereço e IDs',
  addressHint: 'Estes IDs foram dados pela plataforma.',
  address: 'Endereço',
  accountId: 'ID da conta',
  phoneNumberId: 'ID do número',

  tokenTitle: 'Chave e token',
  tokenHint: 'O token pertence a uma chave e é mostrado uma vez: quando a chave é criada e quando é rotacionada.',
  tokenNeeds: 'Proprietários e administradores do espaço de trabalho veem a lista e criam chaves.',
  noKeys: 'Nenhuma chave com um token pode usar esta linha.',

  callbackTitle: 'Callbacks',
  callbackHint:
    'Adicione um destino com o endereço e o token de verificação que o programa mostra. ' +
    'Onde ele pedir um segredo do app, informe o segredo do destino.',
  noEndpoints: 'Nenhum destino deste tipo recebe callbacks desta linha.',

  writeTitle: 'O que escrever e onde',
  writeHint: 'Escreva seu token onde está wp_….',
  ownCode: 'Seu próprio código',
  /** What is to know beside the code, by client. */
  hints: {
    Chatwoot:
      'Versões mais novas também precisam de um arquivo, que está no guia. ' +
      'Depois adicione a caixa à mão, não por “embedded signup”: com os dois IDs, e o token como chave de API. ' +
      'Ela mostra o endereço e o token de verificação dos callbacks, ou os adiciona por conta própria.',
    Typebot: 'A chave dele também precisa do scope webhooks: o Typebot verifica se o app recebe callbacks.',
    '@chat-adapter/whatsapp': 'O adaptador do Chat SDK. O appSecret é o segredo do destino dos callbacks dele.',
    ownCode:
      'O endereço vai no lugar de https://graph.facebook.com, com uma versão depois dele ou sem, ' +
      'e o token no lugar do token da plataforma.',
  },
})
