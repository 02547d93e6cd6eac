'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { type PendingImage, usePending } from './use-pending.ts'

/** Guests' images that wait for approval, the oldest first. */
export function PendingImages({ mayDecide }: { mayDecide: boolean }) {
  const t = useTranslations('adminReports')
  const { options, approve, reject, busy } = usePending()
  const query = useInfiniteQuery(options)
  const [rejected, setRejected] = useState<PendingImage | null>(null)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {query.isPending && <Skeleton className="h-48 w-full" />}
      <QueryStanding query={query} />
      {query.isSuccess && items.length === 0 && <EmptyList>{t('pendingNone')}</EmptyList>}
      <ul aria-label={t('pending')} className="grid gap-3 empty:hidden sm:grid-cols-2 lg:grid-cols-3">
        {items.map((image) => (
          <li key={image.id} className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3">
            <Picture image={image} />
            {mayDecide && (
              <div className="mt-auto flex gap-1.5">
                <Button size="small" isPending={busy === image.id} onPress={() => approve(image)}>
                  <Check size={16} /> {t('approve')}
                </Button>
                <Button
                  tone="quiet-danger"
                  size="small"
                  isPending={busy === image.id}
                  onPress={() => setRejected(image)}
                >
                  <Trash2 size={16} /> {t('reject')}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <LoadMore
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => void query.fetchNextPage()}
      />
      <Confirm
        isOpen={rejected !== null}
        title={t('rejectTitle')}
        action={t('reject')}
        onClose={() => setRejected(null)}
        onConfirm={() => rejected && reject(rejected)}
      >
        {t('rejectText')}
      </Confirm>
    </>
  )
}

function Picture({ image }: { image: PendingImage }) {
  const t = useTranslations('adminReports')
  const format = useFormat()
  const { slug, thumbnailUrl, title, width, height, size, address, createdAt, endsAt } = image
  return (
    <>
      <a href={`/image/${slug}`} target="_blank" rel="noreferrer" aria-label={t('openImage')} className="rounded-md">
        <img
          src={toPath(thumbnailUrl)}
          alt={title}
          width={width}
          height={height}
          loading="lazy"
          className="h-44 w-full rounded-md bg-sunken object-contain"
        />
      </a>
      <div className="flex flex-col gap-0.5 text-sm">
        <h2 dir="auto" className="truncate font-semibold">
          {title}
        </h2>
        <p className="figures text-ink-soft">
          {format.parts([
            `${width} × ${height}`,
            format.bytes(size),
            ...(address === null ? [] : [t('from', { address })]),
          ])}
        </p>
        <p className="figures text-ink-soft">
          <LocalDate iso={createdAt} time />
          {endsAt !== null && <> · {t.rich('deleted', { date: () => <LocalDate iso={endsAt} /> })}</>}
        </p>
      </div>
    </>
  )
}
