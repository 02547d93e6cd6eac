/** The hash tag of a key, which decides its slot in a Redis Cluster: the text in its braces, or the whole key
 *  without. */
export function hashTagOf(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close)
}
