import type { Operation } from '../store.ts'

/** The text in a key's braces, by which a Redis Cluster places it; of a key without braces, all of it. */
export function hashTagOf(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close)
}

/** What one script call can do, on a Cluster: operations of one hash tag, in order. */
export function byHashTag<P extends { readonly operation: Operation }>(passengers: readonly P[]): readonly P[][] {
  return [...Map.groupBy(passengers, ({ operation }) => hashTagOf(operation.charges[0]?.key ?? '')).values()]
}
