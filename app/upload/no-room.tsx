'use client'

import Link from 'next/link'
import { StorageMeter } from '#app/ui/storage-meter.tsx'
import { useRoom } from './use-room.ts'

/** Why no more is taken, and the way to room. */
export function NoRoom() {
  const { data: room } = useRoom()
  return (
    <div role="status" className="m-2 flex flex-col gap-2 rounded-md bg-gate-soft px-3 py-2.5 text-sm leading-snug">
      <p>
        <span className="font-semibold">Not enough space for everything.</span> Delete images and{' '}
        <Link href="/trash" prefetch={false} className="text-water underline underline-offset-4">
          empty the trash
        </Link>
        , which counts too, then retry; or ask an admin for more.
      </p>
      {room && <StorageMeter {...room} />}
    </div>
  )
}
