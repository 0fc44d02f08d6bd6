import type { Said } from '../translator.ts'

/** What the gateway finds of itself, and what its settings are for, by the English words, with gaps as in refusals. */
export const findings: Said = {
  settings: 'ajustes',
  'API version': 'versión de la API',
  'data folder': 'carpeta de datos',
  'key file': 'archivo de la clave',
  backups: 'copias de seguridad',
  clock: 'reloj',
  upgrade: 'actualización',
  'disk space': 'espacio en el disco',
  'write-ahead log': 'registro de escritura (WAL)',
  replication: 'replicación',
  database: 'base de datos',
  channels: 'canales',
  secrets: 'secretos',
  'access tokens': 'tokens de acceso',
  callbacks: 'callbacks',
  upstream: 'plataforma',
  'there is none, so nothing can be sent. Connect one: waypost channel connect':
    'no hay ninguno, así que no se puede enviar nada. Conecta uno: waypost channel connect',
  '{} have the same account {}, whose callbacks go to only one of them: disconnect the others':
    '{1} tienen la misma cuenta {2}, cuyos callbacks van solo a uno de ellos: desconecta los demás',
  '{}, each with its own account': '{1}, cada uno con su propia cuenta',
  'the {} of {}': '{1} de {2}',
  '{} does not open: connect its account again': '{1} no se abre: conecta su cuenta otra vez',
  '{} is absent: waypost channel set-app-secret {}': 'falta {1}: waypost channel set-app-secret {2}',
  'the key fits, and opens the secrets of {}': 'la clave es la correcta y abre los secretos de {1}',
  'access token': 'token de acceso',
  'app secret': 'secreto de la aplicación',
  'verify token': 'token de verificación',
  '1 channel': '1 canal',
  '{} channels': '{1} canales',
  '{}: refused since {} (UTC), so nothing can be sent. Give a new one: waypost channel set-token {}':
    '{1}: rechazado desde {2} (UTC), así que no se puede enviar nada. Da uno nuevo: waypost channel ' + 'set-token {3}',
  'none was refused at the latest message': 'ninguno fue rechazado con el último mensaje',
  '{} at {}': '{1} el {2}',
  'no channel': 'ningún canal',
  'last accepted (UTC): {}': 'último aceptado (UTC): {1}',
  ['{}: none has come yet, so messages stay SENT. With the gateway running at its PUBLIC_URL: waypost ' +
    'channel subscribe {}. If that is done, send a message: its status is the first callback']:
    '{1}: aún no llegó ninguno, así que los mensajes quedan en SENT. Con el gateway en marcha en su ' +
    'PUBLIC_URL: waypost channel subscribe {2}. Si ya está hecho, envía un mensaje: su estado es el ' +
    'primer callback',
  'none was accepted yet': 'aún no se aceptó ninguno',
  'the last accepted one came at {}': 'el último aceptado llegó el {1}',
  'it had no signature, so it did not come from the upstream platform':
    'no tenía firma, así que no vino de la plataforma',
  'its signature was not made with this app secret. Give the right one: waypost channel set-app-secret {}':
    'su firma no se hizo con este secreto de la aplicación. Da el correcto: waypost channel ' + 'set-app-secret {1}',
  '{}: the last callback was refused at {} (UTC): {} ({})':
    '{1}: el último callback fue rechazado el {2} (UTC): {3} ({4})',
  'no channel has an active line': 'ningún canal tiene una línea activa',
  'answered for {} with active lines, whose callbacks come here':
    'respondió por {1} con líneas activas, cuyos callbacks llegan aquí',
  '{}: {} for all numbers of its portfolio; {}': '{1}: {2} para todos los números de su portafolio; {3}',
  '{}: its callbacks are not subscribed: {}': '{1}: sus callbacks no están suscritos: {2}',
  '{}: its callbacks go to {}. To receive them here: {}': '{1}: sus callbacks van a {2}. Para recibirlos aquí: {3}',
  '{} is not a setting and is ignored: did you mean {}?': '{1} no es un ajuste y se ignora: ¿querías decir {2}?',
  'all readable, and none endangers secrets': 'todos se leen, y ninguno pone en peligro los secretos',
  'set CHANNEL_API_VERSION to a newer one, or install a newer Waypost (docs/platform.md)':
    'pon una más nueva en CHANNEL_API_VERSION, o instala un Waypost más nuevo (docs/platform.md)',
  '{}: the newest that this Waypost knows, and served without a known end':
    '{1}: la más nueva que este Waypost conoce, y se ofrece sin un final conocido',
  ['{} is not among the versions that this Waypost knows, {} to {}: it has ended, never was, or came ' +
    'later. Set CHANNEL_API_VERSION to one of them, or install a newer Waypost (docs/platform.md)']:
    '{1} no está entre las versiones que este Waypost conoce, {2} a {3}: terminó, nunca existió o llegó ' +
    'después. Pon una de ellas en CHANNEL_API_VERSION, o instala un Waypost más nuevo (docs/platform.md)',
  '{}: the upstream platform served it until {}: {}': '{1}: la plataforma la ofreció hasta el {2}: {3}',
  '{}: the upstream platform serves it until {}: {}': '{1}: la plataforma la ofrece hasta el {2}: {3}',
  '{}: the upstream platform serves it until {}': '{1}: la plataforma la ofrece hasta el {2}',
  '{} is not writable by this user: change its owner, or set DATA_DIR':
    'este usuario no puede escribir en {1}: cambia su dueño, o pon otra en DATA_DIR',
  '{} is writable': 'se puede escribir en {1}',
  '{} will be made at the first start': '{1} se crea en el primer arranque',
  '{} MB free': '{1} MB libres',
  ['only {} MB are free: make room. MESSAGE_RETENTION_DAYS stops the growth, but the file never shrinks: ' +
    'with the gateway stopped, restore a fresh backup, which is compact, and delete the file that was ' +
    'moved aside']:
    'solo hay {1} MB libres: haz sitio. MESSAGE_RETENTION_DAYS detiene el crecimiento, pero el archivo ' +
    'nunca se reduce: con el gateway parado, restaura una copia reciente, que es compacta, y borra el ' +
    'archivo apartado',
  'SECRET_KEY is set': 'SECRET_KEY está puesta',
  'SECRET_KEY_FILE names {}, which does not exist: restore it from your backup':
    'SECRET_KEY_FILE nombra {1}, que no existe: restáuralo de tu copia',
  '{} can be read by others. Run: chmod 600 {}': 'otros pueden leer {1}. Ejecuta: chmod 600 {2}',
  '{} is there': '{1} está',
  'the time has not jumped within a day': 'la hora no ha saltado en un día',
  ['the time jumped {}, to {} (UTC): somebody has set the clock, or the machine slept. Check that it is ' +
    'synchronised (timedatectl): what is dated meanwhile is dated wrong']:
    'la hora saltó {1}, a {2} (UTC): alguien puso el reloj, o la máquina durmió. Comprueba que esté ' +
    'sincronizada (timedatectl): lo que se fecha mientras tanto lleva una fecha falsa',
  '{} ahead': '{1} adelante',
  '{} back': '{1} atrás',
  ['{} MB, because a reader holds an old snapshot of the database: Litestream (restart it, and check its ' +
    'version), or a sqlite3 shell. It fills the disk, and the next start takes longer']:
    '{1} MB, porque un lector retiene un estado antiguo de la base: Litestream (reinícialo y comprueba su ' +
    'versión) o una sesión de sqlite3. Llena el disco, y el próximo arranque tarda más',
  ['Litestream{} has read nothing for {} although the database was written to: is it running, and not ' +
    'one of the versions that stop silently (docs/operate.md#replication-with-litestream)? Look at {}']:
    'Litestream{1} no ha leído nada desde hace {2}, aunque se escribió en la base: ¿está en marcha, y no ' +
    'es una de las versiones que se paran en silencio (docs/operate.md#replication-with-litestream)? Mira ' +
    '{3}',
  '{} behind': '{1} de retraso',
  'up to date': 'al día',
  'Litestream{} is {}; check the replica with: litestream status, litestream ltx':
    'Litestream{1}: {2}; comprueba la réplica con: litestream status, litestream ltx',
  '{} seconds': '{1} segundos',
  '{} minutes': '{1} minutos',
  '{} hours': '{1} horas',
  'they are made with the tools of PostgreSQL, and not known here: docs/deploy.md#backup':
    'se hacen con las herramientas de PostgreSQL y aquí no se conocen: docs/deploy.md#backup',
  'there are none: set BACKUP_DIR (docs/deploy.md#backup)': 'no hay ninguna: define BACKUP_DIR (docs/deploy.md#backup)',
  'there are no automatic ones beside what Litestream copies': 'no hay automáticas aparte de lo que copia Litestream',
  '{} is not writable by this user: change its owner, or set BACKUP_DIR':
    'este usuario no puede escribir en {1}: cambia su dueño, o pon otra en BACKUP_DIR',
  'the last one was made at {}': 'la última se hizo el {1}',
  'the last one was made at {}: {}': 'la última se hizo el {1}: {2}',
  '{}, not in the bucket yet': '{1}, aún no en el bucket',
  '{}, in the bucket since {}': '{1}, en el bucket desde {2}',
  'none could be made since {} (UTC): {}. It is tried again every 15 minutes':
    'desde {1} (UTC) no se pudo hacer ninguna: {2}. Se intenta otra vez cada 15 minutos',
  'none could be made since {} (UTC): {}. It is tried again every 15 minutes; {}':
    'desde {1} (UTC) no se pudo hacer ninguna: {2}. Se intenta otra vez cada 15 minutos; {3}',
  '{}, and the next is overdue since {} (UTC): does the gateway run?':
    '{1}, y la siguiente se espera desde {2} (UTC): ¿está en marcha el gateway?',
  'none was made yet': 'aún no se hizo ninguna',
  '{}{}: uploads fail since {} (UTC): {}. They are tried again every 15 minutes':
    '{1}{2}: las subidas fallan desde {3} (UTC): {4}. Se intentan otra vez cada 15 minutos',
  '{}, and {} is the last one in the bucket: the next upload is overdue since {} (UTC). See the log':
    '{1}, y {2} es la última en el bucket: la siguiente subida se espera desde {3} (UTC). Mira el registro',
  'none yet: the gateway makes the first when it is due': 'ninguna aún: el gateway hace la primera cuando toca',
  'not in the bucket yet': 'aún no en el bucket',
  'in the bucket since {}': 'en el bucket desde {1}',
  'upgraded from {} to {} at {} (UTC){}': 'actualizado de {1} a {2} el {3} (UTC){4}',
  '; the database of before is {}': '; la base de antes es {1}',
  'none within a week': 'ninguna en una semana',
  promises: 'promesas',
  'no promise was found broken within a week': 'en una semana no se halló ninguna promesa rota',
  ['a promise was found broken at {} (UTC), {}{}: a defect of ours, or a database that was changed by ' +
    'hand. The log of that time says what it is about']:
    'el {1} (UTC) se halló una promesa rota, {2}{3}: un defecto nuestro, o una base cambiada a mano. El ' +
    'registro de ese momento dice de qué se trata',
  '{} holds {}{}{}. To end it: SELECT pg_terminate_backend({})':
    '{1} retiene {2}{3}{4}. Para terminarlo: SELECT pg_terminate_backend({5})',
  'session {}{}': 'sesión {1}{2}',
  '{}: version {} or later is needed': '{1}: hace falta la versión {2} o posterior',
  '{}: sends wait for a lock. {}': '{1}: los envíos esperan un bloqueo. {2}',
  '{}: a write takes {} ms': '{1}: una escritura tarda {2} ms',
  "{}: every send waits for several. Look at the server's disk and network":
    '{1}: cada envío espera varias. Mira el disco y la red del servidor',
  ['DATABASE_URL leads to another machine without TLS: messages and sign-ins cross the network ' +
    'unencrypted. Add ?sslmode=verify-full.']:
    'DATABASE_URL lleva a otra máquina sin TLS: los mensajes y los inicios de sesión cruzan la red sin ' +
    'cifrar. Añade ?sslmode=verify-full.',
  ['DATABASE_URL has sslmode=require: nobody checks that the server is the right one, so that another ' +
    'machine can take its place. Use verify-full.']:
    'DATABASE_URL tiene sslmode=require: nadie comprueba que el servidor sea el correcto, y otra máquina ' +
    'puede ponerse en su lugar. Usa verify-full.',
  ['PUBLIC_URL begins with http://: passwords, API keys and messages cross the network unencrypted. Let ' +
    'a proxy speak https:// in front of the gateway.']:
    'PUBLIC_URL empieza por http://: las contraseñas, las claves y los mensajes cruzan la red sin cifrar. ' +
    'Pon delante del gateway un proxy que hable https://.',
  ['HOST lets other machines send requests, unencrypted, and TRUST_PROXY names no proxy: behind one, all ' +
    'callers count as one. Name the proxy, or set HOST=127.0.0.1.']:
    'HOST deja que otras máquinas pidan sin cifrar, y TRUST_PROXY no nombra ningún proxy: detrás de uno, ' +
    'todos cuentan como uno solo. Nombra el proxy, o pon HOST=127.0.0.1.',
  ['CHANNEL_API_URL begins with http:// and leads to another machine: access tokens and messages cross ' +
    'the network unencrypted. Use https://.']:
    'CHANNEL_API_URL empieza por http:// y lleva a otra máquina: los tokens de acceso y los mensajes ' +
    'cruzan la red sin cifrar. Usa https://.',
  ['The secret key is weak: it has fewer than {} characters, or fewer than {} different ones. It seals ' +
    'the access tokens in the database and its backups. Replace it, with the gateway stopped: waypost ' +
    'secrets rotate']:
    'La clave secreta es débil: tiene menos de {1} caracteres, o menos de {2} distintos. Sella los tokens ' +
    'de acceso en la base y en sus copias. Cámbiala con el gateway parado: waypost secrets rotate',
  'where browsers and the upstream platform reach this gateway; needed for callbacks':
    'dónde alcanzan este gateway los navegadores y la plataforma; hace falta para los callbacks',
  'on: existing clients of the upstream platform are answered below /graph':
    'on: los clientes existentes de la plataforma reciben respuesta en /graph',
  'the upstream platform': 'la plataforma a la que se envía',
  'the version of its API': 'la versión de su API',
  'requests per API key and 15 minutes; 0: no limit': 'peticiones por clave en 15 minutos; 0: sin límite',
  'requests per address and 15 minutes; 0: no limit': 'peticiones por dirección en 15 minutos; 0: sin límite',
  'workspaces that an owner may make in the console, beside the first; 0: none':
    'espacios que un propietario puede crear en la consola, además del primero; 0: ninguno',
  'how long an idempotency key is remembered': 'cuánto se recuerda una clave de idempotencia',
  'how long a send waits for the upstream platform before it is answered QUEUED':
    'cuánto espera un envío a la plataforma antes de que se responda QUEUED',
  'messages that may wait on one line; beyond it 503': 'mensajes que pueden esperar en una línea; por encima, 503',
  'the time limit of each call to it': 'el tiempo máximo de cada llamada a ella',
  'after it, a scheduled message that no gateway was there to send counts as FAILED':
    'después, un mensaje programado que ningún gateway pudo enviar cuenta como FAILED',
  'after it, a message of unknown outcome counts as FAILED':
    'después, un mensaje de resultado desconocido cuenta como FAILED',
  'how often the templates of each channel are read from the upstream platform':
    'cada cuánto se leen de la plataforma las plantillas de cada canal',
  'older contents are dropped, statuses stay; 0: as soon as a message is settled':
    'los contenidos más antiguos se borran, los estados quedan; 0: en cuanto un mensaje termina',
  'older messages are deleted': 'los mensajes más antiguos se borran',
  'older events are deleted; a reader of the list has so long to come back':
    'los eventos más antiguos se borran; quien lee la lista tiene ese tiempo para volver',
  'how long files of users are kept; no longer than contents and messages':
    'cuánto se guardan los archivos de las personas; no más que contenidos y mensajes',
  none: 'ninguno',
  off: 'apagado',
  'keep all': 'guardar todo',
}
