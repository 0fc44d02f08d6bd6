import type { gateway as english } from '../en/gateway.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

/** Whether the gateway is in order, for owners. */
export const gateway = isolating<WordsOf<typeof english>>({
  description: 'Se tudo está em ordem. Ele serve a todos os espaços de trabalho.',
  problems: count => plural(count, `${count} item precisa de atenção.`, `${count} itens precisam de atenção.`),
  noProblems: 'Tudo está em ordem.',
  findings: 'Verificações',
  findingsHint: 'Do gateway em execução. Na máquina dele, waypost doctor também lê o banco de dados inteiro.',
  channels: 'Canais deste espaço de trabalho',
  channelsHint: 'A verificação pergunta à plataforma de mensagens sobre tokens de acesso e callbacks.',
  check: 'Verificar agora',
  checked: 'A plataforma acabou de ser consultada.',
  account: id => `Conta ${id}`,
  cures: {
    connect: 'Conectar uma conta',
    subscribe: 'Assinar callbacks',
    token: 'Substituir o token de acesso',
    appSecret: 'Substituir o segredo do app',
  },
  facts: 'Gateway',
  version: 'Versão',
  database: 'Banco de dados',
  engines: { sqlite: 'SQLite', postgresql: 'PostgreSQL' },
  fileSize: size => `SQLite, ${size}`,
  files: 'Arquivos que os usuários enviaram',
  filesOf: (used, max) => (used === null ? `Ainda não medido; no máximo ${max}` : `${used} de no máximo ${max}`),
  backups: 'Backups',
  backupsHint: keep => `Cada um é verificado por inteiro antes de ser guardado. Os ${keep} mais recentes ficam.`,
  bucket: 'Bucket',
  uploaded: 'Cada um também é enviado para lá',
  notUploaded: 'Nenhum: um disco que falha leva junto os backups que estão nele',
  next: 'Próximo',
  late: 'Atrasado',
  backupsFail: 'Os backups falham desde',
  uploadsFail: 'Os backups são feitos, mas não enviados desde',
  backup: 'Backup',
  made: 'Feito',
  size: 'Tamanho',
  where: 'Onde',
  inFolder: 'Pasta',
  inBoth: 'Pasta e bucket',
  noBackups: 'Ainda não há nenhum backup',
  noBackupsHint: 'O gateway faz o primeiro na hora prevista.',
  setUp: 'Não há backups automáticos',
  setUpHint: 'Defina uma pasta no ambiente do gateway, e reinicie-o:',
  setUpLines: 'configurações para backups automáticos',
  server: 'Faça backup do banco de dados com as ferramentas do PostgreSQL, como pg_dump.',
  guide: 'Como fazer e restaurar backups',
})
