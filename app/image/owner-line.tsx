import type { ImageItem } from '#app/connection/trpc.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { ownerName } from '#app/ui/owner-name.ts'

/** The owner with their picture. Admins see the user name as well. */
export function OwnerLine({ owner }: { owner: ImageItem['owner'] }) {
  const name = ownerName(owner)
  if (name === null) return null
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Avatar name={name} picture={owner.picture} className="size-5 text-[0.625rem]" />
      <bdi className="truncate">{name}</bdi>
      {owner.name !== null && owner.username !== null && <span className="text-ink-soft">{owner.username}</span>}
    </span>
  )
}
