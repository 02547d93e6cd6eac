import { setTimeout as wait } from 'node:timers/promises'
import { Prisma } from '../../generated/prisma/client.ts'
import type { PrismaClient, Transaction } from './database.ts'

/** What a transaction did not find as it must be, though the next attempt may: it is undone and made again. */
export class Conflict extends Error {
  override name = 'Conflict'
}

interface TransactOptions {
  /** How long the transaction may take; nothing that waits for another machine belongs into one. */
  readonly timeout?: number
}

const ATTEMPTS = 5
const TIMEOUT_MS = 15_000

/**
 * Does `work` in a transaction, and again from its beginning when the database ends it for a deadlock or a serialisation
 * failure, or it throws Conflict. Throws the last of these after five attempts.
 */
export async function transact<T>(
  db: PrismaClient,
  work: (tx: Transaction) => Promise<T>,
  { timeout = TIMEOUT_MS }: TransactOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.$transaction(work, { timeout, maxWait: timeout })
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error
      await wait(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/** Whether the database, or the work itself, asks for another attempt. */
function isConflict(error: unknown): boolean {
  if (error instanceof Conflict) return true
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false
  // Of a raw query Prisma says P2010, and the database's own code (PostgreSQL, appendix A) in its details.
  return (
    error.code === 'P2034' || (error.code === 'P2010' && /\b(40P01|40001)\b/.test(JSON.stringify(error.meta ?? {})))
  )
}
