import type { Outputs } from '#app/connection/trpc.ts'

type Removed = Outputs['image']['upload']['removed'][number]

const kinds = [
  [['exif'], 'location', 'camera'],
  [['xmp', 'iptc'], 'editing'],
  [['comment', 'text'], 'comments'],
  [['preview'], 'previews'],
  [['trailer', 'other'], 'hidden'],
] as const satisfies readonly (readonly [readonly Removed[], ...string[]])[]

/**
 * Returns the kinds of removed metadata to show. Leaves out the text of a colour profile, which reveals nothing about
 * the user.
 */
export function shownKinds(removed: readonly string[]) {
  return kinds.flatMap(([parts, ...names]) => (parts.some((part) => removed.includes(part)) ? names : []))
}
