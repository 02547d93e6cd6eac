import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { ObjectCorrupt, type ObjectKey, type ObjectStore } from '#server/storage/object-store.ts'
import { type BytePlan, cut } from './byte-plan.ts'

/**
 * Sends of an object what `plan` says. Throws what goes wrong with the store: before a head is written, so that there
 * can be a proper answer, as long as no byte has come; later the caller must break the answer off. A client that goes
 * away is no failure, and whenever this ends the store's stream has ended or is destroyed.
 */
export async function sendObject(
  store: ObjectStore,
  res: ServerResponse,
  { key, size }: { readonly key: ObjectKey; readonly size: number },
  plan: BytePlan,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const body = await open(store, key, size, plan)
  if (res.closed) return void body.destroy()
  res.once('close', () => body.destroy())
  try {
    const bytes = cut(body, plan)
    const first = await bytes.next()
    if (res.closed) return
    res.writeHead(plan.status, { ...headers, ...plan.headers })
    if (!first.done && !res.write(first.value)) await drained(res)
    for await (const chunk of bytes) {
      if (res.closed) return
      if (!res.write(chunk)) await drained(res)
    }
    res.end()
  } catch (error) {
    if (!res.closed) throw error
  } finally {
    body.destroy()
  }
}

async function open(store: ObjectStore, key: ObjectKey, size: number, { read }: BytePlan): Promise<Readable> {
  const opened = await store.open(key, read ?? undefined).catch((error: unknown) => {
    // The range lies within what the row says that there is.
    throw error instanceof RangeError ? new ObjectCorrupt('Shorter than it was stored', { cause: error }) : error
  })
  if (opened.size === size) return opened.body
  opened.body.on('error', () => undefined).destroy()
  throw new ObjectCorrupt(`${opened.size} bytes in place of ${size}`)
}

function drained(res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    res.off('drain', done).off('close', done)
    resolve()
  }
  res.on('drain', done).on('close', done)
  return promise
}
