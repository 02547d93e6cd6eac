import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { spawnKept } from './kept-process.ts'
import { findPostgresPrograms } from './postgres-programs.ts'

export interface PostgresServer extends AsyncDisposable {
  /** The URL of the server's database `postgres`. Tests create their own with `createDatabase`. */
  readonly url: string
  /** Where its Unix socket is. */
  readonly socketFolder: string
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Kills the server. */
  kill(): Promise<void>
}

interface PostgresOptions {
  /** The URL of a running server whose standby this becomes, with a copy of its data; absent for a new one. */
  readonly standbyOf?: string
  /** Whether what was committed survives a kill of the server. */
  readonly isDurable?: boolean
}

const run = promisify(execFile)

/** Starts a separate PostgreSQL on a free port of 127.0.0.1, in a temporary folder. Durability is off unless asked for, because it
 *  holds only test data. Throws if PostgreSQL is not installed or does not start. */
export async function startPostgresServer(options: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = findPostgresPrograms()
  if (programs === null) {
    throw new Error('PostgreSQL is not installed: `npm test` installs it, or run `apt-get install postgresql`')
  }
  const owner = unprivilegedUser()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'))
  chmodSync(folder, 0o700)
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const [program, args] = options.standbyOf
    ? ['pg_basebackup', ['-D', data, '-d', options.standbyOf, '-R', '--checkpoint=fast', '--no-sync']]
    : ['initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']]
  await run(join(programs, program), args, { ...owner, cwd: folder })

  const port = await freePort()
  // A commit is in the system's memory, which outlives the server's processes.
  const synchronous = options.isDurable ? 'on' : 'off'
  const end = await keepServer(folder, owner, [
    join(programs, 'postgres'),
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`],
    ...[
      '-c',
      'fsync=off',
      '-c',
      `synchronous_commit=${synchronous}`,
      '-c',
      'full_page_writes=off',
      '-c',
      'max_connections=200',
    ],
  ])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return {
    url,
    socketFolder: folder,
    createDatabase: () => createDatabase(url),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type End = (signal: 'SIGINT' | 'SIGKILL') => Promise<void>

/** Resolves once the server accepts connections, with the function that ends it. */
async function keepServer(folder: string, owner: Owner, command: [string, ...string[]]): Promise<End> {
  const child = spawnKept({ command, folder, stopSignal: 'INT', ...owner })
  const exited = once(child, 'exit')
  child.stdout.resume()
  const log: string[] = []
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  createInterface({ input: child.stderr })
    .on('line', (line) => {
      log.push(line)
      if (/ready to accept (read-only )?connections/.test(line)) resolve()
    })
    .on('close', () => reject(new Error(`PostgreSQL did not start:\n${log.join('\n')}`)))
  await ready
  return async (signal) => {
    child.kill(signal)
    await exited
  }
}

async function createDatabase(url: string): Promise<string> {
  const name = `sluice_${randomBytes(6).toString('hex')}`
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name}`)
  } finally {
    await client.end()
  }
  return url.replace(/\/postgres$/, `/${name}`)
}

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root; then it runs as the user created by its package. */
function unprivilegedUser(): Owner {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
