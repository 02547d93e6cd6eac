import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { BudgetSpent } from '#server/storage/meter.ts'
import { ObjectCorrupt, type ObjectKey, ObjectNotFound, type ObjectStore } from '#server/storage/object-store.ts'

/** A verified copy of an object; null if it is missing from the store or corrupt. */
export interface Fetched {
  readonly key: ObjectKey
  readonly copy: { readonly path: string; readonly size: number } | null
}

const ATTEMPTS = 3

/**
 * Copies an object into the folder, so that its hash is verified before it goes into the backup, and a slow reader of the
 * backup holds no connection to the bucket. Retries twice: in hours of backup, a single broken connection must not end it.
 */
export async function fetchObject(
  store: ObjectStore,
  key: ObjectKey,
  folder: string,
  pauseMs = 1_000,
): Promise<Fetched> {
  const path = join(folder, key.replace('/', '.'))
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { body, size } = await store.open(key)
      await pipeline(body, createWriteStream(path, { mode: 0o600 }))
      return { key, copy: { path, size } }
    } catch (error) {
      await rm(path, { force: true })
      if (error instanceof ObjectNotFound) return { key, copy: null }
      if (error instanceof BudgetSpent) throw error
      if (attempt === ATTEMPTS) {
        if (error instanceof ObjectCorrupt) return { key, copy: null }
        throw error
      }
      await wait(pauseMs * attempt)
    }
  }
}
