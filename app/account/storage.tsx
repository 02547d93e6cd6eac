'use client'

import Link from 'next/link'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { StorageMeter } from '#app/ui/storage-meter.tsx'
import { useRoom } from '#app/upload/use-room.ts'

/** The viewer's used storage and quota. */
export function Storage() {
  const t = useTranslations('account')
  const query = useRoom()
  return (
    <div className="flex max-w-sm flex-col gap-3">
      {query.isPending && <Skeleton className="h-9" />}
      <QueryStanding query={query} />
      {query.data && <StorageMeter {...query.data} />}
      <p className="text-sm text-ink-soft">
        {t.rich('storageTrash', {
          link: (text) => (
            <Link href="/trash" prefetch={false} className="text-water underline underline-offset-4">
              {text}
            </Link>
          ),
        })}
      </p>
    </div>
  )
}
