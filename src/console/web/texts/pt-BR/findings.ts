import type { Said } from '../translator.ts'

/** What the gateway finds of itself, and what its settings are for, by the English words, with gaps as in refusals. */
export const findings: Said = {
  settings: 'configurações',
  'API version': 'versão da API',
  'data folder': 'pasta de dados',
  'key file': 'arquivo da chave',
  backups: 'cópias de segurança',
  clock: 'relógio',
  upgrade: 'atualização',
  'disk space': 'espaço em disco',
  'write-ahead log': 'registro de escrita (WAL)',
  replication: 'replicação',
  database: 'banco de dados',
  channels: 'canais',
  secrets: 'segredos',
  'access tokens': 'tokens de acesso',
  callbacks: 'callbacks',
  upstream: 'plataforma',
  'there is none, so nothing can be sent. Connect one: waypost channel connect':
    'não há nenhum, então nada pode ser enviado. Conecte um: waypost channel connect',
  '{} have the same account {}, whose callbacks go to only one of them: disconnect the others':
    '{1} têm a mesma conta {2}, cujos callbacks vão só para um deles: desconecte os outros',
  '{}, each with its own account': '{1}, cada um com sua própria conta',
  'the {} of {}': '{1} de {2}',
  '{} does not open: connect its account again': '{1} não abre: conecte a conta de novo',
  '{} is absent: waypost channel set-app-secret {}': 'falta {1}: waypost channel set-app-secret {2}',
  'the key fits, and opens the secrets of {}': 'a chave é a certa e abre os segredos de {1}',
  'access token': 'token de acesso',
  'app secret': 'segredo do aplicativo',
  'verify token': 'token de verificação',
  '1 channel': '1 canal',
  '{} channels': '{1} canais',
  '{}: refused since {} (UTC), so nothing can be sent. Give a new one: waypost channel set-token {}':
    '{1}: recusado desde {2} (UTC), então nada pode ser enviado. Dê um novo: waypost channel set-token {3}',
  'none was refused at the latest message': 'nenhum foi recusado na última mensagem',
  '{} at {}': '{1} em {2}',
  'no channel': 'nenhum canal',
  'last accepted (UTC): {}': 'último aceito (UTC): {1}',
  ['{}: none has come yet, so messages stay SENT. With the gateway running at its PUBLIC_URL: waypost ' +
    'channel subscribe {}. If that is done, send a message: its status is the first callback']:
    '{1}: nenhum chegou ainda, então as mensagens ficam em SENT. Com o gateway rodando na sua PUBLIC_URL: ' +
    'waypost channel subscribe {2}. Se já foi feito, envie uma mensagem: o status dela é o primeiro ' +
    'callback',
  'none was accepted yet': 'nenhum foi aceito ainda',
  'the last accepted one came at {}': 'o último aceito chegou em {1}',
  'it had no signature, so it did not come from the upstream platform':
    'não tinha assinatura, então não veio da plataforma',
  'its signature was not made with this app secret. Give the right one: waypost channel set-app-secret {}':
    'a assinatura não foi feita com este segredo do aplicativo. Dê o certo: waypost channel ' + 'set-app-secret {1}',
  '{}: the last callback was refused at {} (UTC): {} ({})':
    '{1}: o último callback foi recusado em {2} (UTC): {3} ({4})',
  'no channel has an active line': 'nenhum canal tem uma linha ativa',
  'answered for {} with active lines, whose callbacks come here':
    'respondeu por {1} com linhas ativas, cujos callbacks chegam aqui',
  '{}: {} for all numbers of its portfolio; {}': '{1}: {2} para todos os números do seu portfólio; {3}',
  '{}: its callbacks are not subscribed: {}': '{1}: seus callbacks não estão assinados: {2}',
  '{}: its callbacks go to {}. To receive them here: {}': '{1}: seus callbacks vão para {2}. Para recebê-los aqui: {3}',
  '{} is not a setting and is ignored: did you mean {}?':
    '{1} não é uma configuração e é ignorada: você quis dizer {2}?',
  'all readable, and none endangers secrets': 'todas legíveis, e nenhuma põe segredos em perigo',
  'set CHANNEL_API_VERSION to a newer one, or install a newer Waypost (docs/platform.md)':
    'ponha uma mais nova em CHANNEL_API_VERSION, ou instale um Waypost mais novo (docs/platform.md)',
  '{}: the newest that this Waypost knows, and served without a known end':
    '{1}: a mais nova que este Waypost conhece, e oferecida sem fim conhecido',
  ['{} is not among the versions that this Waypost knows, {} to {}: it has ended, never was, or came ' +
    'later. Set CHANNEL_API_VERSION to one of them, or install a newer Waypost (docs/platform.md)']:
    '{1} não está entre as versões que este Waypost conhece, {2} a {3}: acabou, nunca existiu ou veio ' +
    'depois. Ponha uma delas em CHANNEL_API_VERSION, ou instale um Waypost mais novo (docs/platform.md)',
  '{}: the upstream platform served it until {}: {}': '{1}: a plataforma a ofereceu até {2}: {3}',
  '{}: the upstream platform serves it until {}: {}': '{1}: a plataforma a oferece até {2}: {3}',
  '{}: the upstream platform serves it until {}': '{1}: a plataforma a oferece até {2}',
  '{} is not writable by this user: change its owner, or set DATA_DIR':
    'este usuário não pode gravar em {1}: mude o dono, ou ponha outra em DATA_DIR',
  '{} is writable': 'é possível gravar em {1}',
  '{} will be made at the first start': '{1} é criado na primeira partida',
  '{} MB free': '{1} MB livres',
  ['only {} MB are free: make room. MESSAGE_RETENTION_DAYS stops the growth, but the file never shrinks: ' +
    'with the gateway stopped, restore a fresh backup, which is compact, and delete the file that was ' +
    'moved aside']:
    'só há {1} MB livres: abra espaço. MESSAGE_RETENTION_DAYS detém o crescimento, mas o arquivo nunca ' +
    'encolhe: com o gateway parado, restaure uma cópia recente, que é compacta, e apague o arquivo posto ' +
    'de lado',
  'SECRET_KEY is set': 'SECRET_KEY está definida',
  'SECRET_KEY_FILE names {}, which does not exist: restore it from your backup':
    'SECRET_KEY_FILE indica {1}, que não existe: restaure da sua cópia',
  '{} can be read by others. Run: chmod 600 {}': 'outros podem ler {1}. Execute: chmod 600 {2}',
  '{} is there': '{1} está lá',
  'the time has not jumped within a day': 'a hora não saltou em um dia',
  ['the time jumped {}, to {} (UTC): somebody has set the clock, or the machine slept. Check that it is ' +
    'synchronised (timedatectl): what is dated meanwhile is dated wrong']:
    'a hora saltou {1}, para {2} (UTC): alguém acertou o relógio, ou a máquina dormiu. Verifique se está ' +
    'sincronizada (timedatectl): o que é datado nesse meio-tempo leva data errada',
  '{} ahead': '{1} adiante',
  '{} back': '{1} atrás',
  ['{} MB, because a reader holds an old snapshot of the database: Litestream (restart it, and check its ' +
    'version), or a sqlite3 shell. It fills the disk, and the next start takes longer']:
    '{1} MB, porque um leitor segura um estado antigo do banco: Litestream (reinicie e verifique a ' +
    'versão) ou uma sessão de sqlite3. Enche o disco, e a próxima partida demora mais',
  ['Litestream{} has read nothing for {} although the database was written to: is it running, and not ' +
    'one of the versions that stop silently (docs/operate.md#replication-with-litestream)? Look at {}']:
    'Litestream{1} não leu nada há {2}, embora se tenha gravado no banco: está rodando, e não é uma das ' +
    'versões que param em silêncio (docs/operate.md#replication-with-litestream)? Veja {3}',
  '{} behind': '{1} de atraso',
  'up to date': 'em dia',
  'Litestream{} is {}; check the replica with: litestream status, litestream ltx':
    'Litestream{1}: {2}; verifique a réplica com: litestream status, litestream ltx',
  '{} seconds': '{1} segundos',
  '{} minutes': '{1} minutos',
  '{} hours': '{1} horas',
  'they are made with the tools of PostgreSQL, and not known here: docs/deploy.md#backup':
    'são feitas com as ferramentas do PostgreSQL e não são conhecidas aqui: docs/deploy.md#backup',
  'there are none: set BACKUP_DIR (docs/deploy.md#backup)': 'não há nenhuma: defina BACKUP_DIR (docs/deploy.md#backup)',
  'there are no automatic ones beside what Litestream copies': 'não há automáticas além do que o Litestream copia',
  '{} is not writable by this user: change its owner, or set BACKUP_DIR':
    'este usuário não pode gravar em {1}: mude o dono, ou ponha outra em BACKUP_DIR',
  'the last one was made at {}': 'a última foi feita em {1}',
  'the last one was made at {}: {}': 'a última foi feita em {1}: {2}',
  '{}, not in the bucket yet': '{1}, ainda não no bucket',
  '{}, in the bucket since {}': '{1}, no bucket desde {2}',
  'none could be made since {} (UTC): {}. It is tried again every 15 minutes':
    'desde {1} (UTC) nenhuma pôde ser feita: {2}. Tenta-se de novo a cada 15 minutos',
  'none could be made since {} (UTC): {}. It is tried again every 15 minutes; {}':
    'desde {1} (UTC) nenhuma pôde ser feita: {2}. Tenta-se de novo a cada 15 minutos; {3}',
  '{}, and the next is overdue since {} (UTC): does the gateway run?':
    '{1}, e a próxima está atrasada desde {2} (UTC): o gateway está rodando?',
  'none was made yet': 'nenhuma foi feita ainda',
  '{}{}: uploads fail since {} (UTC): {}. They are tried again every 15 minutes':
    '{1}{2}: os envios falham desde {3} (UTC): {4}. Tenta-se de novo a cada 15 minutos',
  '{}, and {} is the last one in the bucket: the next upload is overdue since {} (UTC). See the log':
    '{1}, e {2} é a última no bucket: o próximo envio está atrasado desde {3} (UTC). Veja o log',
  'none yet: the gateway makes the first when it is due': 'nenhuma ainda: o gateway faz a primeira na hora certa',
  'not in the bucket yet': 'ainda não no bucket',
  'in the bucket since {}': 'no bucket desde {1}',
  'upgraded from {} to {} at {} (UTC){}': 'atualizado de {1} para {2} em {3} (UTC){4}',
  '; the database of before is {}': '; o banco de antes é {1}',
  'none within a week': 'nenhuma em uma semana',
  promises: 'promessas',
  'no promise was found broken within a week': 'em uma semana nenhuma promessa foi achada quebrada',
  ['a promise was found broken at {} (UTC), {}{}: a defect of ours, or a database that was changed by ' +
    'hand. The log of that time says what it is about']:
    'em {1} (UTC) achou-se uma promessa quebrada, {2}{3}: um defeito nosso, ou um banco mudado à mão. O ' +
    'log daquele momento diz do que se trata',
  '{} holds {}{}{}. To end it: SELECT pg_terminate_backend({})':
    '{1} segura {2}{3}{4}. Para encerrar: SELECT pg_terminate_backend({5})',
  'session {}{}': 'sessão {1}{2}',
  '{}: version {} or later is needed': '{1}: é necessária a versão {2} ou posterior',
  '{}: sends wait for a lock. {}': '{1}: os envios esperam um bloqueio. {2}',
  '{}: a write takes {} ms': '{1}: uma gravação leva {2} ms',
  "{}: every send waits for several. Look at the server's disk and network":
    '{1}: cada envio espera várias. Veja o disco e a rede do servidor',
  ['DATABASE_URL leads to another machine without TLS: messages and sign-ins cross the network ' +
    'unencrypted. Add ?sslmode=verify-full.']:
    'DATABASE_URL leva a outra máquina sem TLS: mensagens e logins cruzam a rede sem criptografia. ' +
    'Acrescente ?sslmode=verify-full.',
  ['DATABASE_URL has sslmode=require: nobody checks that the server is the right one, so that another ' +
    'machine can take its place. Use verify-full.']:
    'DATABASE_URL tem sslmode=require: ninguém verifica se o servidor é o certo, e outra máquina pode ' +
    'tomar o lugar dele. Use verify-full.',
  ['PUBLIC_URL begins with http://: passwords, API keys and messages cross the network unencrypted. Let ' +
    'a proxy speak https:// in front of the gateway.']:
    'PUBLIC_URL começa com http://: senhas, chaves de API e mensagens cruzam a rede sem criptografia. ' +
    'Ponha na frente do gateway um proxy que fale https://.',
  ['HOST lets other machines send requests, unencrypted, and TRUST_PROXY names no proxy: behind one, all ' +
    'callers count as one. Name the proxy, or set HOST=127.0.0.1.']:
    'HOST deixa outras máquinas pedirem sem criptografia, e TRUST_PROXY não indica proxy: atrás de um, ' +
    'todos contam como um só. Indique o proxy, ou defina HOST=127.0.0.1.',
  ['CHANNEL_API_URL begins with http:// and leads to another machine: access tokens and messages cross ' +
    'the network unencrypted. Use https://.']:
    'CHANNEL_API_URL começa com http:// e leva a outra máquina: tokens de acesso e mensagens cruzam a ' +
    'rede sem criptografia. Use https://.',
  ['The secret key is weak: it has fewer than {} characters, or fewer than {} different ones. It seals ' +
    'the access tokens in the database and its backups. Replace it, with the gateway stopped: waypost ' +
    'secrets rotate']:
    'A chave secreta é fraca: tem menos de {1} caracteres, ou menos de {2} diferentes. Ela sela os tokens ' +
    'de acesso no banco e nas cópias. Troque-a com o gateway parado: waypost secrets rotate',
  'where browsers and the upstream platform reach this gateway; needed for callbacks':
    'onde navegadores e a plataforma alcançam este gateway; necessário para os callbacks',
  'on: existing clients of the upstream platform are answered below /graph':
    'on: clientes existentes da plataforma são atendidos em /graph',
  'the upstream platform': 'a plataforma para a qual se envia',
  'the version of its API': 'a versão da API dela',
  'requests per API key and 15 minutes; 0: no limit': 'pedidos por chave de API em 15 minutos; 0: sem limite',
  'requests per address and 15 minutes; 0: no limit': 'pedidos por endereço em 15 minutos; 0: sem limite',
  'workspaces that an owner may make in the console, beside the first; 0: none':
    'espaços que um proprietário pode criar no console, além do primeiro; 0: nenhum',
  'how long an idempotency key is remembered': 'por quanto tempo uma chave de idempotência é lembrada',
  'how long a send waits for the upstream platform before it is answered QUEUED':
    'quanto um envio espera a plataforma antes de ser respondido com QUEUED',
  'messages that may wait on one line; beyond it 503': 'mensagens que podem esperar em uma linha; acima disso, 503',
  'the time limit of each call to it': 'o tempo máximo de cada chamada a ela',
  'after it, a scheduled message that no gateway was there to send counts as FAILED':
    'depois, uma mensagem agendada que nenhum gateway pôde enviar conta como FAILED',
  'after it, a message of unknown outcome counts as FAILED':
    'depois, uma mensagem de resultado desconhecido conta como FAILED',
  'how often the templates of each channel are read from the upstream platform':
    'com que frequência os modelos de cada canal são lidos da plataforma',
  'older contents are dropped, statuses stay; 0: as soon as a message is settled':
    'conteúdos mais antigos são apagados, os status ficam; 0: assim que uma mensagem termina',
  'older messages are deleted': 'mensagens mais antigas são apagadas',
  'older events are deleted; a reader of the list has so long to come back':
    'eventos mais antigos são apagados; quem lê a lista tem esse tempo para voltar',
  'how long files of users are kept; no longer than contents and messages':
    'por quanto tempo ficam os arquivos das pessoas; não mais que conteúdos e mensagens',
  none: 'nenhum',
  off: 'desligado',
  'keep all': 'manter tudo',
}
