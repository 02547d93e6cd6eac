/** The text in a key's braces, by which a Redis Cluster places it; of a key without braces, all of it. */
export function hashTagOf(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close)
}
