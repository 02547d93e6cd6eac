import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { startPostgresServer } from './postgres-server.ts'

/** An empty database of a PostgreSQL of its own, and a proxy in front of it that can fail. */
export interface PostgresBehindProxy extends AsyncDisposable {
  /** Through the proxy. */
  readonly url: string
  /** Past it. */
  readonly direct: string
  readonly proxy: FaultProxy
  /** Another database of the same server, past the proxy. */
  createDatabase(): Promise<string>
}

export async function startPostgresBehindProxy(): Promise<PostgresBehindProxy> {
  await using started = new AsyncDisposableStack()
  const postgres = started.use(await startPostgresServer())
  const direct = await postgres.createDatabase()
  const url = new URL(direct)
  const proxy = started.use(await startFaultProxy({ host: url.hostname, port: Number(url.port) }))
  url.port = String(proxy.port)
  const running = started.move()
  const createDatabase = () => postgres.createDatabase()
  return { url: url.href, direct, proxy, createDatabase, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
