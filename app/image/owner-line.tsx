import type { ImageItem } from '#app/connection/trpc.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { ownerName } from '#app/ui/owner-name.ts'

/** The owner with their picture. Admins see the user name as well. */
export function OwnerLine({ owner, href }: { owner: ImageItem['owner']; href: string | undefined }) {
  const name = ownerName(owner)
  if (name === null) return null
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Avatar name={name} picture={owner.picture} className="size-5 text-[0.625rem]" />
      <a href={href} className="truncate">
        <bdi>{name}</bdi>
      </a>
      {owner.name !== null && owner.username !== null && <span className="text-ink-soft">{owner.username}</span>}
    </span>
  )
}
