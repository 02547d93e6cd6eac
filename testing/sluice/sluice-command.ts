import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Scope } from '#server/accounts/viewer.ts'
import { commands } from '../../cli/commands.ts'
import { runCommand } from '../../cli/run-command.ts'
import { insertToken } from '../accounts/api-token.ts'
import { picture } from '../images/pictures.ts'
import type { Person, TestApp } from './sluice-app.ts'

const launcher = join(import.meta.dirname, '../../cli/launch.mjs')

export interface CommandRun {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

interface CallOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Standard input; empty by default. */
  readonly stdin?: Uint8Array | string
}

interface RunOptions extends CallOptions {
  readonly cwd?: string
  /** Called with the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void
}

export interface CommandHome extends AsyncDisposable {
  /** The command's own folder, with its state. */
  readonly folder: string
  /** Runs `sluice` as a separate process, without the machine's settings. */
  run(args: readonly string[], options?: RunOptions): Promise<CommandRun>
  /** The same in this process, for tests of what commands do rather than how they run. Paths must be absolute. */
  call(args: readonly string[], options?: CallOptions): Promise<Omit<CommandRun, 'signal'>>
}

/** A home folder for the command `sluice`, deleted with the test. */
export async function commandHome(env: Readonly<Record<string, string>> = {}): Promise<CommandHome> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-home-'))
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return {
    folder,
    run: async (args, { cwd = folder, stdin = '', onStart, ...options } = {}) => {
      // It ends soon, so that optimising the embedded database does not pay off.
      const child = spawn(process.execPath, ['--liftoff-only', launcher, ...args], {
        cwd,
        env: { NODE_ENV: 'production', PATH, NODE_COMPILE_CACHE, HOME: folder, ...env, ...options.env },
      })
      // A command that ends early does not read its input.
      child.stdin.on('error', () => undefined)
      child.stdin.end(stdin)
      onStart?.(child)
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return { code: child.exitCode, signal: child.signalCode, stdout, stderr }
    },
    call: async (args, { stdin: input = '', ...options } = {}) => {
      const [stdin, stdout, stderr] = [Readable.from([input]), new PassThrough(), new PassThrough()]
      const { signal } = new AbortController()
      const texts = Promise.all([text(stdout), text(stderr)])
      const code = await runCommand(commands, args, {
        env: { HOME: folder, ...env, ...options.env },
        stdin,
        stdout,
        stderr,
        signal,
      })
      stdout.end()
      stderr.end()
      const [told, said] = await texts
      return { code, stdout: told, stderr: said }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface Visitor extends CommandHome {
  readonly person: Person
}

/** A user with an account, a home folder, and a token in the environment. */
export async function commandVisitor(
  test: TestApp,
  scopes: readonly Scope[] = ['upload', 'read', 'manage'],
): Promise<Visitor> {
  const person = await test.person()
  const { token } = await insertToken(test, person, scopes)
  return { ...(await commandHome({ SLUICE_URL: test.origin, SLUICE_TOKEN: token })), person }
}

/** Writes this many different small pictures to a folder: 1.png, 2.png and so on. */
export async function writePictures(folder: string, count: number, seed: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (let index = 1; index <= count; index += 1) {
    const bytes = await picture({ format: 'png', width: 8, height: 8, seed: seed * 1000 + index })
    await writeFile(join(folder, `${index}.png`), bytes)
  }
}
