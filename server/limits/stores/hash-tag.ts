import type { Operation } from '../store.ts'

/** The text in a key's braces, by which a Redis Cluster places it; of a key without braces, all of it. */
export function hashTagOf(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close)
}

/** The operations of each hash tag, in order: what one script call can do on a Cluster. */
export function byHashTag<P extends { readonly operation: Operation }>(all: readonly P[]): readonly P[][] {
  return [...Map.groupBy(all, ({ operation }) => hashTagOf(operation.charges[0]?.key ?? '')).values()]
}
