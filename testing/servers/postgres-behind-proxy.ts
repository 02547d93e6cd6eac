import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { createPostgresDatabase } from './postgres-database.ts'

/** An empty database on PostgreSQL, and a proxy in front of it that can fail. */
export interface PostgresBehindProxy extends AsyncDisposable {
  /** Through the proxy. */
  readonly url: string
  /** Past it. */
  readonly direct: string
  readonly proxy: FaultProxy
}

export async function startPostgresBehindProxy(): Promise<PostgresBehindProxy> {
  const direct = await createPostgresDatabase()
  const url = new URL(direct)
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  return { url: url.href, direct, proxy, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() }
}
