#!/bin/sh
# Makes random secrets for compose.yaml in the folder `secrets` next to it. Never replaces existing secrets.
set -eu
cd "$(dirname "$0")"

if [ -e secrets ]; then
  echo "deploy/secrets already exists: nothing was changed. To make new secrets, remove it together with the volumes." >&2
  exit 1
fi

random() { od -An -N 24 -t x1 /dev/urandom | tr -d ' \n'; }

# Containers run as different users and must read the mounted files; the folder's mode keeps other users of this machine out.
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

# The rename makes the folder complete at once: an incomplete one would look like existing secrets.
mv secrets.new secrets
echo "made deploy/secrets: keep a copy of key_secret, which you need for the signing keys in a backup"
