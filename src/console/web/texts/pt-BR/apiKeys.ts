import type { apiKeys as english } from '../en/apiKeys.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

/** API keys. */
export const apiKeys = isolating<WordsOf<typeof english>>({
  title: 'Chaves de API',
  description: 'Um backend se identifica com uma chave e seu segredo.',
  more: 'Como funcionam as chaves',
  furtherDescription:
    'Uma chave pode enviar, e ler tudo o que os usuários escrevem ao espaço de trabalho, ' +
    'a não ser que seja limitada a menos. ' +
    'Só proprietários e administradores veem esta página.',
  create: 'Criar uma chave',
  label: 'Etiqueta',
  labelHint: 'Quem ou o que a usa: produção, testes, a loja.',
  unlabelled: 'Sem etiqueta',
  scopes: 'Permissões',
  scopesHint: 'Escolha só o necessário. Não dá para mudar depois; uma chave rotacionada as mantém.',
  everything: 'Tudo, menos webhooks, mudanças de modelos e programas existentes',
  chooseOne: 'Escolha pelo menos uma opção.',
  lines: 'Linhas',
  linesHint: 'Envia só por elas, e vê só o que é delas. Isso também não dá para mudar depois.',
  allLines: 'Todas as linhas, também as futuras',
  onlyLines: numbers => `Só ${numbers}`,
  scopeNames: {
    'messages:send': 'enviar mensagens',
    'messages:read': 'ler mensagens enviadas',
    'templates:read': 'listar modelos',
    'templates:write': 'alterar modelos',
    'events:read': 'ler eventos',
    inbound: 'ler o que os usuários escrevem',
    'contacts:read': 'buscar contatos',
    'contacts:write': 'alterar contatos',
    media: 'enviar e obter arquivos',
    webhooks: 'alterar webhooks',
    graph: 'aceitar programas existentes',
    'graph:pass': 'fazer outras chamadas da plataforma',
  },
  scopeMeanings: {
    'messages:send': 'Enviar mensagens.',
    'messages:read': 'Ler o que aconteceu com as mensagens, e listá-las.',
    'templates:read': 'Listar os modelos aprovados.',
    'templates:write': 'Criar, alterar e excluir modelos, com programas existentes.',
    'events:read': 'Ler todos os eventos, também o que os usuários escrevem.',
    inbound: 'Ler o que os usuários escrevem, marcar como lido e, com programas existentes, bloquear usuários.',
    'contacts:read': 'Buscar contatos, com seus números.',
    'contacts:write':
      'Adicionar contatos, descadastrá-los da publicidade e recadastrá-los, bloqueá-los e desbloqueá-los.',
    media:
      'Carregar arquivos para envio, obter os que os usuários enviaram e, com programas existentes, excluir ambos.',
    webhooks: 'Adicionar, alterar e remover webhooks: para onde vão os eventos, também o que os usuários escrevem.',
    graph: 'Deixar que programas da plataforma falem com este gateway, com um só token por chave e segredo.',
    'graph:pass': 'Deixar que façam qualquer outra chamada da plataforma para suas linhas e contas, pelas regras dela.',
  },
  expires: 'Expira',
  expiresHint: 'Uma chave que nunca expira funciona até ser revogada.',
  expiryChoices: { never: 'Nunca', '30': 'Em 30 dias', '90': 'Em 90 dias', '365': 'Em um ano' },
  networks: 'Redes permitidas',
  networksHint: 'Endereços ou redes CIDR, um por linha. Vazio: requisições de qualquer lugar.',
  key: 'Chave',
  state: 'Estado',
  age: 'Idade',
  thisMonth: 'Este mês',
  notCounted: 'Ainda não contadas',
  lastUsed: 'Último uso',
  // Portuguese counts 0 as one.
  days: count => plural(count, `${count} dia`, `${count} dias`),
  used: 'Usada',
  neverUsed: 'Nunca usada',
  old: 'Mais de 90 dias: rotacione.',
  oldKeys: count =>
    `${plural(count, 'Uma chave tem', `${count} chaves têm`)} mais de 90 dias. ` +
    'Rotacione: a chave antiga funciona até o fim de sua validade.',
  states: { works: 'Ativa', ends: 'Expira', expired: 'Expirada', revoked: 'Revogada' },
  none: 'Não há nenhuma chave de API',
  noneHint: 'Crie uma, e seu backend poderá enviar a primeira mensagem.',
  showEnded: 'Mostrar as chaves revogadas e expiradas',
  created: 'Chave criada',
  createdHint: 'Copie o segredo agora. Só o hash é armazenado: ele não pode ser mostrado de novo.',
  apiKey: 'apiKey',
  apiSecret: 'apiSecret',
  graphToken: 'Token para programas existentes',
  curl: 'Experimente',
  curlHint: 'Lê com a chave nova e não envia nada.',
  curlCommand: 'comando curl',
  copied: 'Já copiei o segredo',
  rotate: 'Rotacionar',
  rotateTitle: label => `Rotacionar ${label}`,
  rotateHint:
    'Cria uma chave nova com as mesmas permissões. ' +
    'As duas compartilham as chaves de idempotência: enquanto isso, nada é enviado duas vezes.',
  grace: 'Validade da chave antiga',
  limits: 'Alterar os limites',
  revoke: 'Revogar',
  revokeTitle: label => `Revogar ${label}?`,
  revokeQuestion:
    'Será recusada a partir da próxima requisição. Não dá para desfazer. As mensagens que ela enviou ficam.',
})
