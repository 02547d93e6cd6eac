import type { Outputs } from '#app/connection/trpc.ts'
import { formatList } from '#format/counts.ts'

type Removed = Outputs['image']['upload']['removed'][number]

const words = [
  [['exif'], 'location', 'camera data'],
  [['xmp', 'iptc'], 'editing data'],
  [['comment', 'text'], 'comments'],
  [['preview'], 'embedded previews'],
  [['trailer', 'other'], 'hidden data'],
] as const satisfies readonly (readonly [readonly Removed[], ...string[]])[]

/**
 * What was removed, for reading: `location, camera data and comments`. Null when nothing was that says anything about anybody:
 * the remarks in a colour profile are its maker's.
 */
export function cleanedOf(removed: readonly string[]): string | null {
  const named = words.flatMap(([kinds, ...names]) => (kinds.some((kind) => removed.includes(kind)) ? names : []))
  return named.length === 0 ? null : formatList(named)
}
