import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Prisma } from '../../generated/prisma/client.ts'
import type { PrismaClient, Transaction } from './database.ts'

/** Throw inside a transaction to roll it back and retry it, when its precondition may hold on the next attempt. */
export class Conflict extends Error {
  override name = 'Conflict'
}

const ATTEMPTS = 5

/** How long a transaction may take. Never wait for another machine inside one. */
const TIMEOUT_MS = 15_000

/** Runs `work` in a transaction, and retries it from the start after a deadlock, a serialization failure or a Conflict.
 *  Throws the last of these after five attempts. */
export async function transact<T>(db: PrismaClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(db, work)
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error
      await wait(Math.random() * 20 * 2 ** attempt)
    }
  }
}

type Hook = (db: object) => void

interface UnderWay {
  readonly hooks: Hook[]
}

const underWay = new AsyncLocalStorage<UnderWay>()

async function attemptOnce<T>(db: PrismaClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const own: UnderWay = { hooks: [] }
  try {
    return await db.$transaction((tx) => underWay.run(own, () => work(tx)), {
      timeout: TIMEOUT_MS,
      maxWait: TIMEOUT_MS,
    })
  } finally {
    for (const hook of own.hooks) hook(db)
  }
}

/**
 * Calls `hook` with the database's client when the current transaction ends, even if it fails: a commit may have
 * succeeded although its answer was lost. Without a transaction, calls it at once with `client`.
 */
export function afterTransaction(client: object, hook: Hook): void {
  const own = underWay.getStore()
  if (own) own.hooks.push(hook)
  else hook(client)
}

/** Whether the database, or the work itself, asks for another attempt. */
function isConflict(error: unknown): boolean {
  if (error instanceof Conflict) return true
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false
  // For raw queries Prisma reports P2010, with the database's code (PostgreSQL, appendix A) in the details.
  return (
    error.code === 'P2034' || (error.code === 'P2010' && /\b(40P01|40001)\b/.test(JSON.stringify(error.meta ?? {})))
  )
}
