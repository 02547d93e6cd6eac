import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Runs a program of this repository with its output passed through, or given to `hear`. Returns whether it exited with 0. When
 *  this process gets a signal to end, it first ends the program and everything that the program has started. */
export async function run(
  command: readonly string[],
  environment: Record<string, string> = {},
  hear?: (output: Buffer) => void,
): Promise<boolean> {
  const [program = '', ...args] = command
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  // Registered before the program starts: a signal in between is handled when this function awaits.
  const endFamily = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    // Not at once: programs that run beside this one are ended by listeners of their own.
    setImmediate(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, endFamily)
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...environment, PATH: path },
    stdio: hear ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    // Its own process group, so that one signal reaches all its processes.
    detached: true,
  })
  if (hear) for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear)
  try {
    const [code] = await once(child, hear ? 'close' : 'exit')
    return code === 0
  } finally {
    for (const signal of signals) process.off(signal, endFamily)
  }
}
