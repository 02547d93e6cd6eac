import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'

/** Called and awaited before each step, to delay it or to kill the process there. */
export type Gate = (step: string) => Promise<void> | void

/** A store that awaits a gate before each operation that changes or lists it. */
export function gatedStore(store: ObjectStore, gate: Gate): ObjectStore {
  return {
    ...store,
    put: async (...given) => {
      await gate('put')
      await store.put(...given)
    },
    delete: async (...given) => {
      await gate('delete')
      await store.delete(...given)
    },
    async *list(prefix) {
      await gate('list')
      const listed = await Array.fromAsync(store.list(prefix))
      // The listed objects may have changed by now.
      await gate('listed')
      yield* listed
    },
  }
}

/** A database that awaits a gate before each query and transaction and, with `inside`, before each query in a transaction. */
export function gatedDatabase(db: PrismaClient, gate: Gate, { inside = false } = {}): PrismaClient {
  const gated = gatedTransaction(db, gate)
  return new Proxy(db, {
    get: (_, name) =>
      name === '$transaction'
        ? async (work: (tx: Transaction) => Promise<unknown>, options?: object) => {
            await gate('transaction')
            const answer = await db.$transaction((tx) => work(inside ? gatedTransaction(tx, gate) : tx), options)
            if (inside) await gate('committed')
            return answer
          }
        : Reflect.get(gated, name),
  })
}

function gatedTransaction<T extends Transaction>(tx: T, gate: Gate): T {
  return new Proxy(tx, {
    get(_, name) {
      const found: unknown = Reflect.get(tx, name)
      return typeof found === 'object' && found !== null
        ? new Proxy(found, { get: (model, method) => gatedCall(model, method, gate, `${String(name)}.`) })
        : gatedCall(tx, name, gate, '')
    },
  })
}

function gatedCall(target: object, name: string | symbol, gate: Gate, prefix: string): unknown {
  const found: unknown = Reflect.get(target, name)
  if (typeof found !== 'function') return found
  return async (...given: unknown[]) => {
    await gate(prefix + String(name))
    return Reflect.apply(found, target, given)
  }
}
