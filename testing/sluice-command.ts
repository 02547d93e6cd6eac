import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const launcher = join(import.meta.dirname, '../cli/launch.mjs')

export interface CommandRun {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** What comes by standard input; nothing without it. */
  readonly stdin?: Uint8Array | string
  /** Told of the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void
}

export interface CommandHome extends AsyncDisposable {
  /** A folder of the command's own, with what it keeps. */
  readonly folder: string
  /** Runs `sluice` as a process of its own; the machine's own settings do not reach it. */
  run(args: readonly string[], options?: RunOptions): Promise<CommandRun>
}

/** A person's home for the command `sluice`, that goes with the test. */
export async function commandHome(env: Readonly<Record<string, string>> = {}): Promise<CommandHome> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-home-'))
  const { PATH = '' } = process.env
  return {
    folder,
    run: async (args, { cwd = folder, stdin = '', onStart, ...options } = {}) => {
      const child = spawn(process.execPath, [launcher, ...args], {
        cwd,
        env: { PATH, HOME: folder, ...env, ...options.env },
      })
      // Whoever ends early reads no more.
      child.stdin.on('error', () => undefined)
      child.stdin.end(stdin)
      onStart?.(child)
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return { code: child.exitCode, signal: child.signalCode, stdout, stderr }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
