#!/bin/sh
# Installs, starts, upgrades and removes the package as an operator does, in a copy of the system (systemCopy.sh). systemd
# does not run there: the gateway is started by hand, as the user of its unit and with its settings, and told apart as
# ready by the notification that systemd would get.
set -eu
cd /packages
# The index of man pages is no part of this: --no-triggers spares its seconds.
release=$(ls waypost_*.deb | grep -v 999)
upgrade=waypost_999.0.0_amd64.deb

fail() {
  echo "Failed: $1"
  [ -f /tmp/log ] && cat /tmp/log
  exit 1
}
as_waypost="setpriv --reuid waypost --regid waypost --init-groups --reset-env env PORT=$PORT"
# Commands, as the documents tell operators to call them.
waypost() { $as_waypost /usr/bin/waypost "$@"; }

start() {
  rm -rf /tmp/notify && mkdir /tmp/notify && chmod 711 /tmp/notify
  python3 notifySocket.py /tmp/notify/socket >/tmp/notified &
  supervisor=$!
  until [ -S /tmp/notify/socket ]; do sleep 0.05; done
  chmod 777 /tmp/notify/socket
  # Not by a function: the signal to stop goes to this process.
  $as_waypost NOTIFY_SOCKET=/tmp/notify/socket DATA_DIR=/var/lib/waypost /usr/bin/waypost serve >/tmp/log 2>&1 &
  gateway=$!
  wait "$supervisor"
  grep -qx 'READY=1' /tmp/notified || fail 'systemd was told nothing'
  waypost health >/dev/null || fail 'it is not healthy'
}
stop() {
  kill "$gateway"
  wait "$gateway" || fail 'it did not stop well'
}

dpkg --no-triggers -i "$release" >/dev/null
[ "$(stat -c '%U:%G %a' /var/lib/waypost)" = 'waypost:waypost 700' ] || fail 'owner or mode of the data folder'
[ "$(stat -c '%U:%G %a' /etc/waypost/waypost.env)" = 'root:waypost 640' ] || fail 'owner or mode of the settings'
[ -f /usr/share/man/man1/waypost.1.gz ] && [ -f /usr/share/bash-completion/completions/waypost ] || fail 'files'
if command -v systemd-analyze >/dev/null; then
  said=$(systemd-analyze verify --man=no /usr/lib/systemd/system/waypost.service 2>&1) || fail "the unit: $said"
  [ -z "$said" ] || fail "the unit: $said"
  systemd-analyze security --offline=true --threshold=20 /usr/lib/systemd/system/waypost.service >/tmp/log || fail 'hardening'
fi
start
waypost workspace create --name Acme >/dev/null
# Root finds the settings as well; a user who may not read them gets no second database, and may ask for health.
(cd /tmp && env -i PORT="$PORT" /usr/bin/waypost workspace list) | grep -q Acme || fail 'root finds another database'
as_nobody="setpriv --reuid nobody --regid nogroup --clear-groups --reset-env env PORT=$PORT"
mkdir -m 777 /tmp/elsewhere && cd /tmp/elsewhere
$as_nobody /usr/bin/waypost workspace create --name Stray >/tmp/log 2>&1 && fail 'a second database was made'
grep -q 'sudo -u waypost' /tmp/log || fail 'nothing tells whose command it is'
[ -z "$(ls)" ] || fail 'something was made beside the service'
$as_nobody /usr/bin/waypost health >/dev/null || fail 'health is refused'
cd /packages
stop
echo 'MESSAGE_RETENTION_DAYS=90' >>/etc/waypost/waypost.env

dpkg --no-triggers -i "$upgrade" >/dev/null
grep -q MESSAGE_RETENTION_DAYS /etc/waypost/waypost.env || fail 'the settings are gone'
[ "$(stat -c '%U:%G %a' /etc/waypost/waypost.env)" = 'root:waypost 640' ] || fail 'mode of the settings after the upgrade'
start
waypost workspace list | grep -q Acme || fail 'the data is gone'
stop

dpkg --no-triggers -r waypost >/dev/null
[ ! -e /usr/bin/waypost ] || fail 'it is still there'
[ -f /etc/waypost/waypost.env ] || fail 'removal took the settings'
dpkg --no-triggers -i "$upgrade" >/dev/null
start
waypost workspace list | grep -q Acme || fail 'the data is gone after it was installed again'
stop

# systemd as the package's scripts see it, with a service that does not start.
mkdir -p /run/systemd/system /tmp/bin
printf '#!/bin/sh\n[ "$1" != restart ]\n' >/tmp/bin/systemctl
chmod 755 /tmp/bin/systemctl
PATH=/tmp/bin:$PATH dpkg --no-triggers -i "$upgrade" >/tmp/log 2>&1 || fail 'a service that does not start stops the installation'
grep -q 'journalctl -u waypost' /tmp/log || fail 'nothing tells where the log is'
[ "$(dpkg-query -W -f '${db:Status-Abbrev}' waypost)" = 'ii ' ] || fail 'the package is not configured'
rm -r /run/systemd/system /tmp/bin

dpkg --no-triggers -P waypost >/dev/null
[ ! -e /etc/waypost ] || fail 'a purge leaves the settings'
[ -f /var/lib/waypost/waypost.db ] || fail 'a purge took the data'
echo 'All steps done.'
