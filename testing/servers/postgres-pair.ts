import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

/** A PostgreSQL and its synchronous standby, behind a proxy that leads to the first. */
export interface PostgresPair extends AsyncDisposable {
  readonly proxy: FaultProxy
  /** Creates an empty database and returns its URL past the proxy. */
  createDatabase(): Promise<string>
  /** The address of a database through the proxy. */
  throughProxy(database: string): string
  /** The same past it: changes with each failover. */
  direct(database: string): string
  /** Kills the server, promotes its standby, and gives that a new standby. Nothing that was committed is lost. */
  failOver(): Promise<void>
}

const STANDBY_WITHIN_MS = 60_000

export async function startPostgresPair(): Promise<PostgresPair> {
  let primary = await startPostgresServer({ isDurable: true })
  let standby = await addStandby(primary)
  const proxy = await startFaultProxy(addressOf(primary))
  return {
    proxy,
    createDatabase: () => primary.createDatabase(),
    throughProxy: (database) => withAddress(database, proxy),
    direct: (database) => withAddress(database, addressOf(primary)),
    failOver: async () => {
      await primary.kill()
      await query(standby, 'SELECT pg_promote()')
      proxy.aim(addressOf(standby))
      await primary[Symbol.asyncDispose]()
      primary = standby
      standby = await addStandby(primary)
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      // The standby first: a primary that stops waits for what it has not sent.
      await standby[Symbol.asyncDispose]()
      await primary[Symbol.asyncDispose]()
    },
  }
}

/** Starts a standby for which commits wait from then on. */
async function addStandby(primary: PostgresServer): Promise<PostgresServer> {
  const standby = await startPostgresServer({ isDurable: true, standbyOf: primary.url })
  // Only now, and so not in what the standby has copied: promoted, it has nobody to wait for.
  await query(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await query(primary, 'SELECT pg_reload_conf()')
  const deadline = performance.now() + STANDBY_WITHIN_MS
  while (!(await isSynchronous(primary))) {
    if (performance.now() > deadline) throw new Error(`there was no standby within ${STANDBY_WITHIN_MS} ms`)
    await wait(50)
  }
  return standby
}

async function isSynchronous(primary: PostgresServer): Promise<boolean> {
  const rows = await query(primary, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)
  return rows.length > 0
}

async function query({ url }: PostgresServer, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

interface Address {
  readonly host: string
  readonly port: number
}

function addressOf({ url }: PostgresServer): Address {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

function withAddress(url: string, { host, port }: Address): string {
  const replaced = new URL(url)
  replaced.host = `${host}:${port}`
  return replaced.href
}
