#!/bin/sh
# The life of an installation by the documents alone, in a copy of the system (systemCopy.sh): installed, set up, backed up by
# itself, killed while it sends, restored elsewhere, upgraded, gone back to the former version, removed. The stand-in is the
# upstream.
set -eu
cd /packages
release=$(ls waypost_*.deb | grep -v 999)
upgrade=waypost_999.0.0_amd64.deb
settings=/etc/waypost/waypost.env

fail() {
  echo "Failed: $1"
  for log in /tmp/log /tmp/answer /tmp/said; do [ -f $log ] && tail -n 30 $log; done
  exit 1
}
as_waypost="setpriv --reuid waypost --regid waypost --init-groups --reset-env"
waypost() { $as_waypost /usr/bin/waypost "$@"; }
# The value of a field in a JSON document on standard input.
field() { python3 -c "import json, sys; print(json.load(sys.stdin)$1)"; }

start() {
  # Not by a function: signals go to this process.
  $as_waypost env $(grep -v '^#' $settings) /usr/bin/waypost serve >>/tmp/log 2>&1 &
  gateway=$!
  for _ in $(seq 600); do
    waypost health >/dev/null 2>&1 && return
    kill -0 "$gateway" 2>/dev/null || fail 'it ended at its start'
    sleep 0.1
  done
  fail 'it does not become ready'
}
stop() {
  kill "$gateway"
  wait "$gateway" || fail 'it did not stop well'
}
# Sends a text with an idempotency key, as a caller does. The answer is in /tmp/answer.
send() {
  status=$(curl -s -o /tmp/answer -w '%{http_code}' "http://127.0.0.1:$PORT/api/v1/public/messages/send" \
    -H "apiKey: $api_key" -H "apiSecret: $api_secret" -H 'content-type: application/json' \
    -d "{\"type\":\"text\",\"phone\":\"+1555010020$1\",\"content\":\"Order $1\",\"idempotencyKey\":\"order-$1\"}" || true)
}
sent_id() { field "['data']['id']" </tmp/answer; }
messages() { waypost message list --workspace "$workspace" --json; }

dpkg --no-triggers -i "$release" >/dev/null
# As docs/deploy.md says; the upstream is the stand-in.
cat >>$settings <<END
PORT=$PORT
BACKUP_DIR=/var/lib/waypost/backups
BACKUP_EVERY=1d
BACKUP_KEEP=3
CHANNEL_API_URL=http://127.0.0.1:$SANDBOX_PORT
END
/usr/bin/waypost sandbox --port "$SANDBOX_PORT" --json >/tmp/sandbox 2>&1 &
until [ -s /tmp/sandbox ]; do sleep 0.1; done
start

workspace=$(waypost workspace create --name Acme --json | field "['id']")
account=$(head -n 1 /tmp/sandbox | field "['accountId']")
head -n 1 /tmp/sandbox | field "['accessToken']" >/tmp/token.txt
head -n 1 /tmp/sandbox | field "['appSecret']" >/tmp/app-secret.txt
chmod 600 /tmp/token.txt /tmp/app-secret.txt
install -o waypost -m 600 /tmp/token.txt /tmp/app-secret.txt /var/lib/waypost
channel=$(waypost channel connect --workspace "$workspace" --account-id "$account" \
  --access-token-file /var/lib/waypost/token.txt --app-secret-file /var/lib/waypost/app-secret.txt \
  --add-lines --json | field "['id']")
line=$(waypost line list --workspace "$workspace" --json | field "[0]['id']")
waypost line default "$line" >/dev/null
waypost key create --workspace "$workspace" --json >/tmp/key.json
api_key=$(field "['apiKey']" </tmp/key.json)
api_secret=$(field "['apiSecret']" </tmp/key.json)
PUBLIC_URL=http://127.0.0.1:$PORT
echo "PUBLIC_URL=$PUBLIC_URL" >>$settings
waypost channel subscribe "$channel" >/dev/null || fail 'no subscription'

send 1
[ "$status" = 201 ] || fail 'the first send'
first=$(sent_id)
for _ in $(seq 100); do
  waypost message show "$first" --json | grep -q '"status":"READ"' && break
  sleep 0.1
done
waypost message show "$first" --json | grep -q '"status":"READ"' || fail 'no callback made it READ'

# Backed up by itself at the start; another by hand has the message.
ls /var/lib/waypost/backups/waypost-*.db >/dev/null || fail 'no backup was made at the start'
waypost doctor >/tmp/said || fail 'the doctor finds something'
grep -q 'backups.*the last one was made' /tmp/said || fail 'the doctor knows of no backup'
waypost backup --to /var/lib/waypost/by-hand.db >/dev/null

# Killed while it is asked: what was answered is there afterwards, and a repeated send is the same message.
send 2
second=$(sent_id)
kill -9 "$gateway"
wait "$gateway" 2>/dev/null || true
send 3
[ "$status" = 000 ] || fail 'a dead gateway answered'
start
send 2
[ "$status $(sent_id)" = "200 $second" ] || fail 'a repeated send is another message after a kill'

# Restored elsewhere: another machine, with the key file.
mkdir -p /srv/elsewhere
cp /var/lib/waypost/secret.key /srv/elsewhere/
/usr/bin/waypost --data-dir /srv/elsewhere restore --from /var/lib/waypost/by-hand.db >/dev/null || fail 'the restore'
/usr/bin/waypost --data-dir /srv/elsewhere message show "$first" --json | grep -q '"status":"READ"' || fail 'the message is gone'
CHANNEL_API_URL=http://127.0.0.1:$SANDBOX_PORT /usr/bin/waypost --data-dir /srv/elsewhere doctor >/tmp/said && fail 'the doctor elsewhere finds a gateway'
grep -q 'works on another database' /tmp/said || fail 'the gateway is taken for one of elsewhere'
grep -q 'the key fits' /tmp/said || fail 'the doctor elsewhere'

# Upgraded: settings, messages and idempotency keys stay.
stop
dpkg --no-triggers -i "$upgrade" >/dev/null
start
send 2
[ "$status $(sent_id)" = "200 $second" ] || fail 'a repeated send is another message after an upgrade'
send 4
[ "$status" = 201 ] || fail 'nothing can be sent after an upgrade'
stop

# Back to the former version by the backup.
dpkg --no-triggers --force-downgrade -i "$release" >/dev/null 2>&1
waypost restore --from /var/lib/waypost/by-hand.db --force >/dev/null || fail 'the restore of the former version'
start
messages | grep -q "$first" || fail 'the message is gone after the way back'
stop

dpkg --no-triggers -P waypost >/dev/null
[ -f /var/lib/waypost/waypost.db ] || fail 'a purge took the data'
rm -r /var/lib/waypost
userdel waypost || fail 'the user cannot be removed'
echo 'All steps done.'
