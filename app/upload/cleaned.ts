import type { Outputs } from '#app/connection/trpc.ts'

type Removed = Outputs['image']['upload']['removed'][number]

const kinds = [
  [['exif'], 'exif'],
  [['xmp'], 'xmp'],
  [['iptc'], 'iptc'],
  [['comment', 'text'], 'comments'],
  [['preview'], 'previews'],
  [['trailer', 'other'], 'hidden'],
] as const satisfies readonly (readonly [readonly Removed[], string])[]

/**
 * Returns the kinds of removed metadata to show, named for what was there: not every EXIF block has a location. Leaves out the text of a colour profile, which reveals nothing about
 * the user.
 */
export function shownKinds(removed: readonly string[]) {
  return kinds.flatMap(([parts, name]) => (parts.some((part) => removed.includes(part)) ? name : []))
}
