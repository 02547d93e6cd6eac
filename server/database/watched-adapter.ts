import type { SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import type { Watch } from '#server/tracing/watch.ts'

export type WatchDatabase = Watch<'query' | 'execute' | 'begin'>

/** Characters of a statement in a trace. */
const SHOWN = 1_000

/** Has every statement watched, and the wait that begins a transaction. Statements are shown without their values. */
export function watchAdapter(factory: SqlDriverAdapterFactory, watch: WatchDatabase): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = watchStatements(await factory.connect(), watch)
      const begin = adapter.startTransaction.bind(adapter)
      const startTransaction: typeof begin = async (level) =>
        watchStatements(await watch('begin', () => begin(level)), watch)
      return Object.assign(adapter, { startTransaction })
    },
  }
}

function watchStatements<Adapter extends SqlQueryable>(adapter: Adapter, watch: WatchDatabase): Adapter {
  const { queryRaw, executeRaw } = adapter
  const describe =
    ({ sql }: SqlQuery) =>
    () => ({ 'db.system.name': 'postgresql', 'db.query.text': sql.slice(0, SHOWN) })
  return Object.assign(adapter, {
    queryRaw: (query: SqlQuery) => watch('query', () => queryRaw.call(adapter, query), describe(query)),
    executeRaw: (query: SqlQuery) => watch('execute', () => executeRaw.call(adapter, query), describe(query)),
  })
}
