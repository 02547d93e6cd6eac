import type { Api } from '../connection/api.ts'
import type { ServerConnection } from '../connection/connection.ts'

export type Share = Awaited<ReturnType<Api['share']['list']['query']>>['items'][number]

/** Yields the user's shares, newest first, ended ones included. */
export async function* myShares({ api, patience, signal }: ServerConnection): AsyncGenerator<Share> {
  let cursor: string | undefined
  do {
    const input = { limit: 100, ...(cursor && { cursor }) }
    const { items, nextCursor } = await patience.run(() => api.share.list.query(input, { signal }))
    yield* items
    cursor = nextCursor ?? undefined
  } while (cursor)
}
