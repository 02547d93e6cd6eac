import type { AlbumItem } from '#app/connection/trpc.ts'
import { ownerName } from '#app/ui/owner-name.ts'
import type { CardItem } from '../album-card.tsx'

/** What a guest's page shows of an album. */
export function toGuestCard({ slug, title, visibility, count, cover, owner }: AlbumItem): CardItem {
  return { title, visibility, count, cover, href: `/a/${slug}`, owner: ownerName(owner) }
}
