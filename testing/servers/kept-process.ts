import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

interface KeptProcess {
  readonly command: readonly [string, ...string[]]
  readonly env?: NodeJS.ProcessEnv
  /** Deleted when the process has ended; absent if the caller owns the folder. */
  readonly folder?: string
  readonly stopSignal: 'TERM' | 'INT'
  readonly uid?: number
  readonly gid?: number
}

// The pipe on stdin closes when the test's process ends, even by kill -9, so nothing is left behind.
const keeper = `
exec 3<&0 </dev/null
(
  trap '' INT TERM HUP
  read -r _ <&3
  kill -s "$1" $$
  tries=0
  while kill -0 $$ && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  if [ -n "$2" ]; then rm -rf "$2"; fi
) >/dev/null 2>&1 &
shift 2
exec "$@" 3<&-
`

/** Starts a program that ends with this process. The returned child is the program itself. */
export function spawnKept(kept: KeptProcess): ChildProcessByStdio<Writable, Readable, Readable> {
  const { command, env = process.env, folder = '', stopSignal, ...owner } = kept
  return spawn('/bin/sh', ['-c', keeper, 'sh', stopSignal, folder, ...command], { ...owner, env, stdio: 'pipe' })
}
