import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Runs a program of this repository with its output passed through. Returns whether it exited with 0. When this process gets a
 *  signal to end, it first ends the program and everything that the program has started. */
export async function run(command: readonly string[], environment: Record<string, string> = {}): Promise<boolean> {
  const [program = '', ...args] = command
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  // Registered before the program starts: a signal in between is handled when this function awaits.
  const endFamily = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, endFamily)
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...environment, PATH: path },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Its own process group, so that one signal reaches all its processes.
    detached: true,
  })
  try {
    const [code] = await once(child, 'exit')
    return code === 0
  } finally {
    for (const signal of signals) process.off(signal, endFamily)
  }
}
