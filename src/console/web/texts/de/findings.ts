import type { Said } from '../translator.ts'

/** What the gateway finds of itself, and what its settings are for, by the English words, with gaps as in refusals. */
export const findings: Said = {
  settings: 'Einstellungen',
  'API version': 'API-Version',
  'data folder': 'Datenordner',
  'key file': 'Schlüsseldatei',
  backups: 'Sicherungen',
  clock: 'Uhr',
  upgrade: 'Aktualisierung',
  'disk space': 'Speicherplatz',
  'write-ahead log': 'Schreibprotokoll (WAL)',
  replication: 'Replikation',
  database: 'Datenbank',
  channels: 'Kanäle',
  secrets: 'Geheimnisse',
  'access tokens': 'Zugangstoken',
  callbacks: 'Callbacks',
  upstream: 'Plattform',
  'there is none, so nothing can be sent. Connect one: waypost channel connect':
    'es gibt keinen, also kann nichts gesendet werden. Verbinden Sie einen: waypost channel connect',
  '{} have the same account {}, whose callbacks go to only one of them: disconnect the others':
    '{1} haben dasselbe Konto {2}, dessen Callbacks nur zu einem von ihnen gehen: trennen Sie die anderen',
  '{}, each with its own account': '{1}, jeder mit eigenem Konto',
  'the {} of {}': '{1} von {2}',
  '{} does not open: connect its account again': '{1} lässt sich nicht öffnen: verbinden Sie das Konto noch einmal',
  '{} is absent: waypost channel set-app-secret {}': '{1} fehlt: waypost channel set-app-secret {2}',
  'the key fits, and opens the secrets of {}': 'der Schlüssel passt und öffnet die Geheimnisse von {1}',
  'access token': 'Zugangstoken',
  'app secret': 'App-Geheimnis',
  'verify token': 'Verify token',
  '1 channel': '1 Kanal',
  '{} channels': '{1} Kanäle',
  '{}: refused since {} (UTC), so nothing can be sent. Give a new one: waypost channel set-token {}':
    '{1}: seit {2} (UTC) abgelehnt, also kann nichts gesendet werden. Geben Sie ein neues: waypost ' +
    'channel set-token {3}',
  'none was refused at the latest message': 'keines wurde bei der letzten Nachricht abgelehnt',
  '{} at {}': '{1} um {2}',
  'no channel': 'kein Kanal',
  'last accepted (UTC): {}': 'zuletzt angenommen (UTC): {1}',
  ['{}: none has come yet, so messages stay SENT. With the gateway running at its PUBLIC_URL: waypost ' +
    'channel subscribe {}. If that is done, send a message: its status is the first callback']:
    '{1}: noch keiner kam an, also bleiben Nachrichten SENT. Während das Gateway unter seiner PUBLIC_URL ' +
    'läuft: waypost channel subscribe {2}. Ist das getan, senden Sie eine Nachricht: ihr Status ist der ' +
    'erste Callback',
  'none was accepted yet': 'noch keiner wurde angenommen',
  'the last accepted one came at {}': 'der letzte angenommene kam um {1}',
  'it had no signature, so it did not come from the upstream platform':
    'er hatte keine Signatur, kam also nicht von der Plattform',
  'its signature was not made with this app secret. Give the right one: waypost channel set-app-secret {}':
    'seine Signatur wurde nicht mit diesem App-Geheimnis gemacht. Geben Sie das richtige: waypost channel ' +
    'set-app-secret {1}',
  '{}: the last callback was refused at {} (UTC): {} ({})':
    '{1}: der letzte Callback wurde um {2} (UTC) abgelehnt: {3} ({4})',
  'no channel has an active line': 'kein Kanal hat eine aktive Leitung',
  'answered for {} with active lines, whose callbacks come here':
    'hat für {1} mit aktiven Leitungen geantwortet, deren Callbacks hierher kommen',
  '{}: {} for all numbers of its portfolio; {}': '{1}: {2} für alle Nummern seines Portfolios; {3}',
  '{}: its callbacks are not subscribed: {}': '{1}: seine Callbacks sind nicht abonniert: {2}',
  '{}: its callbacks go to {}. To receive them here: {}':
    '{1}: seine Callbacks gehen an {2}. Um sie hier zu bekommen: {3}',
  '{} is not a setting and is ignored: did you mean {}?':
    '{1} ist keine Einstellung und wird übergangen: meinten Sie {2}?',
  'all readable, and none endangers secrets': 'alle lesbar, und keine gefährdet Geheimnisse',
  'set CHANNEL_API_VERSION to a newer one, or install a newer Waypost (docs/platform.md)':
    'setzen Sie CHANNEL_API_VERSION auf eine neuere, oder installieren Sie ein neueres Waypost ' + '(docs/platform.md)',
  '{}: the newest that this Waypost knows, and served without a known end':
    '{1}: die neueste, die dieses Waypost kennt, und ohne bekanntes Ende angeboten',
  ['{} is not among the versions that this Waypost knows, {} to {}: it has ended, never was, or came ' +
    'later. Set CHANNEL_API_VERSION to one of them, or install a newer Waypost (docs/platform.md)']:
    '{1} gehört nicht zu den Versionen, die dieses Waypost kennt, {2} bis {3}: sie ist beendet, gab es ' +
    'nie, oder kam später. Setzen Sie CHANNEL_API_VERSION auf eine davon, oder installieren Sie ein ' +
    'neueres Waypost (docs/platform.md)',
  '{}: the upstream platform served it until {}: {}': '{1}: die Plattform bot sie bis {2} an: {3}',
  '{}: the upstream platform serves it until {}: {}': '{1}: die Plattform bietet sie bis {2} an: {3}',
  '{}: the upstream platform serves it until {}': '{1}: die Plattform bietet sie bis {2} an',
  '{} is not writable by this user: change its owner, or set DATA_DIR':
    '{1} ist für diesen Benutzer nicht beschreibbar: ändern Sie den Eigentümer, oder setzen Sie DATA_DIR',
  '{} is writable': '{1} ist beschreibbar',
  '{} will be made at the first start': '{1} entsteht beim ersten Start',
  '{} MB free': '{1} MB frei',
  ['only {} MB are free: make room. MESSAGE_RETENTION_DAYS stops the growth, but the file never shrinks: ' +
    'with the gateway stopped, restore a fresh backup, which is compact, and delete the file that was ' +
    'moved aside']:
    'nur {1} MB sind frei: schaffen Sie Platz. MESSAGE_RETENTION_DAYS hält das Wachsen auf, aber die ' +
    'Datei wird nie kleiner: stellen Sie bei angehaltenem Gateway eine frische Sicherung wieder her, die ' +
    'kompakt ist, und löschen Sie die beiseite gelegte Datei',
  'SECRET_KEY is set': 'SECRET_KEY ist gesetzt',
  'SECRET_KEY_FILE names {}, which does not exist: restore it from your backup':
    'SECRET_KEY_FILE nennt {1}, das es nicht gibt: stellen Sie es aus Ihrer Sicherung wieder her',
  '{} can be read by others. Run: chmod 600 {}': '{1} ist für andere lesbar. Führen Sie aus: chmod 600 {2}',
  '{} is there': '{1} ist da',
  'the time has not jumped within a day': 'die Zeit ist seit einem Tag nicht gesprungen',
  ['the time jumped {}, to {} (UTC): somebody has set the clock, or the machine slept. Check that it is ' +
    'synchronised (timedatectl): what is dated meanwhile is dated wrong']:
    'die Zeit sprang {1}, auf {2} (UTC): jemand hat die Uhr gestellt, oder die Maschine schlief. Prüfen ' +
    'Sie, ob sie synchronisiert ist (timedatectl): was inzwischen datiert wird, ist falsch datiert',
  '{} ahead': '{1} vor',
  '{} back': '{1} zurück',
  ['{} MB, because a reader holds an old snapshot of the database: Litestream (restart it, and check its ' +
    'version), or a sqlite3 shell. It fills the disk, and the next start takes longer']:
    '{1} MB, weil ein Leser einen alten Stand der Datenbank festhält: Litestream (starten Sie es neu, und ' +
    'prüfen Sie seine Version) oder eine sqlite3-Sitzung. Das füllt die Platte, und der nächste Start ' +
    'dauert länger',
  ['Litestream{} has read nothing for {} although the database was written to: is it running, and not ' +
    'one of the versions that stop silently (docs/operate.md#replication-with-litestream)? Look at {}']:
    'Litestream{1} hat seit {2} nichts gelesen, obwohl in die Datenbank geschrieben wurde: läuft es, und ' +
    'ist es keine der Versionen, die still stehen bleiben (docs/operate.md#replication-with-litestream)? ' +
    'Sehen Sie nach {3}',
  '{} behind': '{1} zurück',
  'up to date': 'auf dem neuesten Stand',
  'Litestream{} is {}; check the replica with: litestream status, litestream ltx':
    'Litestream{1}: {2}; prüfen Sie die Kopie mit: litestream status, litestream ltx',
  '{} seconds': '{1} Sekunden',
  '{} minutes': '{1} Minuten',
  '{} hours': '{1} Stunden',
  'they are made with the tools of PostgreSQL, and not known here: docs/deploy.md#backup':
    'sie entstehen mit den Werkzeugen von PostgreSQL und sind hier nicht bekannt: docs/deploy.md#backup',
  'there are none: set BACKUP_DIR (docs/deploy.md#backup)':
    'es gibt keine: setzen Sie BACKUP_DIR (docs/deploy.md#backup)',
  'there are no automatic ones beside what Litestream copies':
    'es gibt keine automatischen neben dem, was Litestream kopiert',
  '{} is not writable by this user: change its owner, or set BACKUP_DIR':
    '{1} ist für diesen Benutzer nicht beschreibbar: ändern Sie den Eigentümer, oder setzen Sie BACKUP_DIR',
  'the last one was made at {}': 'die letzte entstand um {1}',
  'the last one was made at {}: {}': 'die letzte entstand um {1}: {2}',
  '{}, not in the bucket yet': '{1}, noch nicht im Bucket',
  '{}, in the bucket since {}': '{1}, im Bucket seit {2}',
  'none could be made since {} (UTC): {}. It is tried again every 15 minutes':
    'seit {1} (UTC) gelang keine: {2}. Alle 15 Minuten wird es wieder versucht',
  'none could be made since {} (UTC): {}. It is tried again every 15 minutes; {}':
    'seit {1} (UTC) gelang keine: {2}. Alle 15 Minuten wird es wieder versucht; {3}',
  '{}, and the next is overdue since {} (UTC): does the gateway run?':
    '{1}, und die nächste ist seit {2} (UTC) überfällig: läuft das Gateway?',
  'none was made yet': 'noch keine entstand',
  '{}{}: uploads fail since {} (UTC): {}. They are tried again every 15 minutes':
    '{1}{2}: das Hochladen scheitert seit {3} (UTC): {4}. Alle 15 Minuten wird es wieder versucht',
  '{}, and {} is the last one in the bucket: the next upload is overdue since {} (UTC). See the log':
    '{1}, und {2} ist die letzte im Bucket: das nächste Hochladen ist seit {3} (UTC) überfällig. Siehe ' + 'Protokoll',
  'none yet: the gateway makes the first when it is due':
    'noch keine: das Gateway macht die erste, wenn sie fällig ist',
  'not in the bucket yet': 'noch nicht im Bucket',
  'in the bucket since {}': 'im Bucket seit {1}',
  'upgraded from {} to {} at {} (UTC){}': 'von {1} auf {2} aktualisiert um {3} (UTC){4}',
  '; the database of before is {}': '; die Datenbank von vorher ist {1}',
  'none within a week': 'keine innerhalb einer Woche',
  promises: 'Versprechen',
  'no promise was found broken within a week': 'seit einer Woche fand sich kein gebrochenes Versprechen',
  ['a promise was found broken at {} (UTC), {}{}: a defect of ours, or a database that was changed by ' +
    'hand. The log of that time says what it is about']:
    'um {1} (UTC) fand sich ein gebrochenes Versprechen, {2}{3}: ein Fehler von uns, oder eine von Hand ' +
    'geänderte Datenbank. Das Protokoll jener Zeit sagt, worum es geht',
  '{} holds {}{}{}. To end it: SELECT pg_terminate_backend({})':
    '{1} hält {2}{3}{4}. Um das zu beenden: SELECT pg_terminate_backend({5})',
  'session {}{}': 'Sitzung {1}{2}',
  '{}: version {} or later is needed': '{1}: Version {2} oder später ist nötig',
  '{}: sends wait for a lock. {}': '{1}: Sendungen warten auf eine Sperre. {2}',
  '{}: a write takes {} ms': '{1}: ein Schreiben dauert {2} ms',
  "{}: every send waits for several. Look at the server's disk and network":
    '{1}: jede Sendung wartet auf mehrere. Sehen Sie nach Platte und Netz des Servers',
  ['DATABASE_URL leads to another machine without TLS: messages and sign-ins cross the network ' +
    'unencrypted. Add ?sslmode=verify-full.']:
    'DATABASE_URL führt ohne TLS zu einer anderen Maschine: Nachrichten und Anmeldungen gehen ' +
    'unverschlüsselt durch das Netz. Fügen Sie ?sslmode=verify-full hinzu.',
  ['DATABASE_URL has sslmode=require: nobody checks that the server is the right one, so that another ' +
    'machine can take its place. Use verify-full.']:
    'DATABASE_URL hat sslmode=require: niemand prüft, ob es der richtige Server ist, sodass eine andere ' +
    'Maschine seinen Platz einnehmen kann. Nehmen Sie verify-full.',
  ['PUBLIC_URL begins with http://: passwords, API keys and messages cross the network unencrypted. Let ' +
    'a proxy speak https:// in front of the gateway.']:
    'PUBLIC_URL beginnt mit http://: Passwörter, API-Schlüssel und Nachrichten gehen unverschlüsselt ' +
    'durch das Netz. Lassen Sie einen Proxy vor dem Gateway https:// sprechen.',
  ['HOST lets other machines send requests, unencrypted, and TRUST_PROXY names no proxy: behind one, all ' +
    'callers count as one. Name the proxy, or set HOST=127.0.0.1.']:
    'HOST lässt andere Maschinen unverschlüsselt anfragen, und TRUST_PROXY nennt keinen Proxy: hinter ' +
    'einem zählen alle Aufrufer als einer. Nennen Sie den Proxy, oder setzen Sie HOST=127.0.0.1.',
  ['CHANNEL_API_URL begins with http:// and leads to another machine: access tokens and messages cross ' +
    'the network unencrypted. Use https://.']:
    'CHANNEL_API_URL beginnt mit http:// und führt zu einer anderen Maschine: Zugangstoken und ' +
    'Nachrichten gehen unverschlüsselt durch das Netz. Nehmen Sie https://.',
  ['The secret key is weak: it has fewer than {} characters, or fewer than {} different ones. It seals ' +
    'the access tokens in the database and its backups. Replace it, with the gateway stopped: waypost ' +
    'secrets rotate']:
    'Der geheime Schlüssel ist schwach: er hat weniger als {1} Zeichen oder weniger als {2} verschiedene. ' +
    'Er versiegelt die Zugangstoken in der Datenbank und ihren Sicherungen. Ersetzen Sie ihn bei ' +
    'angehaltenem Gateway: waypost secrets rotate',
  'where browsers and the upstream platform reach this gateway; needed for callbacks':
    'wo Browser und die Plattform dieses Gateway erreichen; nötig für Callbacks',
  'on: existing clients of the upstream platform are answered below /graph':
    'on: vorhandene Clients der Plattform bekommen Antwort unter /graph',
  'the upstream platform': 'die Plattform, an die gesendet wird',
  'the version of its API': 'die Version ihrer API',
  'requests per API key and 15 minutes; 0: no limit': 'Anfragen je API-Schlüssel in 15 Minuten; 0: unbegrenzt',
  'requests per address and 15 minutes; 0: no limit': 'Anfragen je Adresse in 15 Minuten; 0: unbegrenzt',
  'workspaces that an owner may make in the console, beside the first; 0: none':
    'Arbeitsbereiche, die ein Inhaber in der Konsole neben dem ersten anlegen darf; 0: keine',
  'how long an idempotency key is remembered': 'wie lange ein Idempotenzschlüssel gemerkt wird',
  'how long a send waits for the upstream platform before it is answered QUEUED':
    'wie lange eine Sendung auf die Plattform wartet, bevor sie mit QUEUED beantwortet wird',
  'messages that may wait on one line; beyond it 503': 'Nachrichten, die auf einer Leitung warten dürfen; danach 503',
  'the time limit of each call to it': 'das Zeitlimit jedes Aufrufs bei ihr',
  'after it, a scheduled message that no gateway was there to send counts as FAILED':
    'danach zählt eine geplante Nachricht, die kein Gateway senden konnte, als FAILED',
  'after it, a message of unknown outcome counts as FAILED':
    'danach zählt eine Nachricht mit unbekanntem Ausgang als FAILED',
  'how often the templates of each channel are read from the upstream platform':
    'wie oft die Vorlagen jedes Kanals von der Plattform gelesen werden',
  'older contents are dropped, statuses stay; 0: as soon as a message is settled':
    'ältere Inhalte werden gelöscht, Status bleiben; 0: sobald eine Nachricht fertig ist',
  'older messages are deleted': 'ältere Nachrichten werden gelöscht',
  'older events are deleted; a reader of the list has so long to come back':
    'ältere Ereignisse werden gelöscht; so lange hat Zeit, wer die Liste liest',
  'how long files of users are kept; no longer than contents and messages':
    'wie lange Dateien von Personen bleiben; nicht länger als Inhalte und Nachrichten',
  none: 'keine',
  off: 'aus',
  'keep all': 'alle behalten',
}
