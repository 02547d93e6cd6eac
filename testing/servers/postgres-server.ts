import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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
}

/** Starts a separate PostgreSQL on a free port of 127.0.0.1, in a temporary folder. Durability is off, because it holds only test
 *  data. Throws if PostgreSQL is not installed or does not start. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = findPostgresPrograms()
  if (programs === null) {
    throw new Error('PostgreSQL is not installed: `npm test` installs it, or run `apt-get install postgresql`')
  }
  const owner = unprivilegedUser()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'))
  chmodSync(folder, 0o700)
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(programs, 'initdb'), initdb, { ...owner, cwd: folder, stdio: 'pipe' })

  const port = await freePort()
  const stop = await keepServer(folder, owner, [
    join(programs, 'postgres'),
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`],
    ...['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'],
  ])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return { url, socketFolder: folder, createDatabase: () => createDatabase(url), [Symbol.asyncDispose]: stop }
}

/** Resolves once the server accepts connections, with the function that stops it. */
async function keepServer(folder: string, owner: Owner, command: [string, ...string[]]): Promise<() => Promise<void>> {
  const child = spawnKept({ command, folder, stopSignal: 'INT', ...owner })
  const exited = once(child, 'exit')
  child.stdout.resume()
  const log: string[] = []
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  createInterface({ input: child.stderr })
    .on('line', (line) => {
      log.push(line)
      if (line.includes('ready to accept connections')) resolve()
    })
    .on('close', () => reject(new Error(`PostgreSQL did not start:\n${log.join('\n')}`)))
  await ready
  return async () => {
    child.kill('SIGINT')
    await exited
    await rm(folder, { recursive: true, force: true })
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
