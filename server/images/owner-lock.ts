import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'

const found = z.array(z.unknown())

/** Keeps a user from being deleted until the transaction ends. False when there is no such user. */
export async function holdOwner(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR KEY SHARE`
  return found.parse(rows).length > 0
}

/** Keeps images of a user from coming in until the transaction ends, once those that are coming in are there. */
export async function shutOutImages(tx: Transaction, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR UPDATE`
}
