#!/bin/sh
# Prepares `docker compose up -d` with PostgreSQL, Redis and Garage: writes their passwords and keys to .env. Keeps what is there.
set -eu
cd "$(dirname "$0")/.."
umask 077
touch .env

random() {
  od -A n -t x1 -N "$1" /dev/urandom | tr -d ' \n'
}

# set_once NAME VALUE
set_once() {
  if ! grep -q "^$1=" .env; then echo "$1=$2" >>.env; fi
}

set_once COMPOSE_FILE compose.yaml:deploy/full.yaml
set_once POSTGRES_PASSWORD "$(random 24)"
set_once GARAGE_RPC_SECRET "$(random 32)"
set_once GARAGE_ACCESS_KEY "GK$(random 12)"
set_once GARAGE_SECRET_KEY "$(random 32)"
echo 'Passwords and keys are in .env: keep a copy of it. Now run: docker compose up -d'
