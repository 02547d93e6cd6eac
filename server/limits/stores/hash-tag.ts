import type { Operation } from '../store.ts'

/** The hash tag of a key, which decides its slot in a Redis Cluster: the text in its braces, or the whole key
 *  without. */
export function hashTagOf(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close)
}

/** The operations grouped by hash tag, in order: on a Cluster one script call can only touch keys of one slot. */
export function byHashTag<P extends { readonly operation: Operation }>(all: readonly P[]): readonly P[][] {
  return [...Map.groupBy(all, ({ operation }) => hashTagOf(operation.charges[0]?.key ?? '')).values()]
}
