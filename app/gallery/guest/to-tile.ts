import type { ImageItem } from '#app/connection/trpc.ts'
import { placeholderColour } from '#app/image/placeholder.ts'
import { ownerName } from '#app/ui/owner-name.ts'
import type { GuestTileItem } from './guest-tile.tsx'

/** What a tile shows of an image that the viewer may read. */
export function toTile({ slug, title, owner, placeholder, ...image }: ImageItem): GuestTileItem[] {
  const { url, variants, variantsAwaited, frames, mime, width, height } = image
  if (slug === null) return []
  return [
    {
      ...{ url, variants, variantsAwaited, frames, mime, width, height },
      href: `/image/${slug}`,
      slug,
      name: title ?? '',
      owner: ownerName(owner),
      colour: placeholder && placeholderColour(placeholder),
    },
  ]
}
