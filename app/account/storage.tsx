'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { AsOf } from '#app/limits/as-of.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { StorageMeter } from '#app/ui/storage-meter.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { LargestImages } from './largest-images.tsx'
import { formatName, storageRows } from './storage-rows.ts'

/** The viewer's used storage and quota, by format, and their largest images. */
export function Storage() {
  const t = useTranslations('account')
  const trpc = useTRPC()
  const query = useQuery(trpc.image.storage.queryOptions(undefined, { staleTime: 0 }))
  const link = (text: ReactNode) => (
    <Link href="/trash" prefetch={false} className="text-water underline underline-offset-4">
      {text}
    </Link>
  )
  return (
    <div className="flex max-w-xl flex-col gap-5">
      {query.isPending && <Skeleton className="h-40" />}
      <QueryStanding query={query} />
      {query.data && (
        <>
          <AsOf iso={query.data.asOf} />
          <div className="max-w-sm">
            <StorageMeter used={query.data.used} quota={query.data.quota} />
          </div>
          <ByFormat kinds={query.data.kinds} />
          <LargestImages images={query.data.largest} />
        </>
      )}
      <p className="text-sm text-ink-soft">{t.rich('storageTrash', { link })}</p>
    </div>
  )
}

function ByFormat({ kinds }: { kinds: Parameters<typeof storageRows>[0] }) {
  const t = useTranslations('account')
  const format = useFormat()
  const rows = storageRows(kinds)
  if (rows.length === 0) return null
  return (
    <table className="figures w-full text-sm">
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('storageFormat')}</th>
          <th scope="col">{t('storageImages')}</th>
          <th scope="col">{t('storageShare')}</th>
          <th scope="col">{t('storageSize')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, images, bytes, share }) => (
          <tr key={kind} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 pr-3 text-left font-medium whitespace-nowrap">
              {kind === 'trash' ? t('storageInTrash') : formatName(kind)}
            </th>
            <td className="pr-3 text-right whitespace-nowrap text-ink-soft">{t('imageCount', { count: images })}</td>
            <td className="w-full px-1 max-sm:hidden" aria-label={format.share(share)}>
              <span
                className={`block h-2 min-w-0.5 rounded-full ${kind === 'trash' ? 'bg-line-strong' : 'bg-water'}`}
                style={{ width: `${share * 100}%` }}
              />
            </td>
            <td className="pl-3 text-right whitespace-nowrap max-sm:w-full">{format.bytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
