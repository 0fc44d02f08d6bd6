#!/bin/sh
# Makes the certificates of this folder anew: an authority of our own, and what it has signed for one key. They are valid
# for a hundred years, but for the one that is meant to have expired. Written for OpenSSL 3; run it in this folder.
set -eu
days=36500
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -subj '/CN=Waypost test authority' -days $days -out ca.pem \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign'
openssl ecparam -name prime256v1 -genkey -noout -out key.pem

# The authority's key is not kept: nobody can sign with it later.
mkdir "$work/issued"
: >"$work/index"
cat >"$work/ca.conf" <<EOF
[ca]
default_ca = test
[test]
database = $work/index
new_certs_dir = $work/issued
rand_serial = yes
default_md = sha256
policy = policy
[policy]
commonName = supplied
EOF

# sign <name> <subjectAltName> <dates...>
sign() {
  name=$1
  printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n' "$2" >"$work/extensions"
  shift 2
  openssl req -new -key key.pem -subj "/CN=$name" -out "$work/request"
  openssl ca -batch -notext -config "$work/ca.conf" -cert ca.pem -keyfile "$work/ca.key" -in "$work/request" \
    -extfile "$work/extensions" -out "$name.pem" "$@"
}

sign localhost DNS:localhost -days $days
sign address IP:127.0.0.1,IP:::1 -days $days
sign elsewhere DNS:elsewhere.example -days $days
sign expired DNS:localhost -startdate 20200101000000Z -enddate 20210101000000Z
openssl req -x509 -new -key key.pem -subj '/CN=localhost' -days $days -addext 'subjectAltName=DNS:localhost' \
  -out selfSigned.pem
