'use client'

import Link from 'next/link'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { StorageMeter } from '#app/ui/storage-meter.tsx'
import { useRoom } from '#app/upload/use-room.ts'

/** What one's images take of what they may. */
export function Storage() {
  const query = useRoom()
  return (
    <div className="flex max-w-sm flex-col gap-3">
      {query.isPending && <Skeleton className="h-9" />}
      <QueryStanding query={query} />
      {query.data && <StorageMeter {...query.data} />}
      <p className="text-sm text-ink-soft">
        Images in the{' '}
        <Link href="/trash" prefetch={false} className="text-water underline underline-offset-4">
          trash
        </Link>{' '}
        count too, until they are removed for good.
      </p>
    </div>
  )
}
