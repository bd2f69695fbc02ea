#!/bin/sh
# Makes the secrets of compose.yaml, at random, in the folder `secrets` beside it. Those that are there stay.
set -eu
cd "$(dirname "$0")"

if [ -e secrets ]; then
  echo "deploy/secrets is there already: nothing was changed. To have new ones, remove it together with the volumes." >&2
  exit 1
fi

random() { od -An -N 24 -t x1 /dev/urandom | tr -d ' \n'; }

# Compose mounts a file as it is on this machine, and the containers run as users of their own: the folder keeps others out.
umask 077
rm -rf secrets.new
mkdir secrets.new
postgres=$(random) valkey=$(random) access=$(random) secret=$(random)
write() { cat >"secrets.new/$1"; chmod 0444 "secrets.new/$1"; }

printf '%s' "$postgres" | write postgres_password
printf 'postgres://housestyle:%s@postgres:5432/housestyle' "$postgres" | write database_url
printf 'redis://:%s@valkey:6379' "$valkey" | write limits_url
printf '%s' "$(random)" | write key_secret

write valkey_conf <<VALKEY
bind 0.0.0.0
requirepass $valkey
save ""
appendonly no
maxmemory 128mb
maxmemory-policy volatile-ttl
VALKEY

write aws_credentials <<AWS
[default]
aws_access_key_id = $access
aws_secret_access_key = $secret
AWS

write s3_config <<S3
{
  "identities": [
    {
      "name": "housestyle",
      "credentials": [{ "accessKey": "$access", "secretKey": "$secret" }],
      "actions": ["Read", "Write", "List", "Tagging"]
    }
  ]
}
S3

# Whole or not at all: a folder that lacks one of them would be taken for what was made before.
mv secrets.new secrets
echo "made deploy/secrets: keep a copy of key_secret, without which a backup has no signing keys"
