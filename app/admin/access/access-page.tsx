'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { HotlinkForm } from './hotlink-form.tsx'
import { Ranges } from './ranges.tsx'

/** How often the rules are reloaded: other superadmins may change them. */
const LIST_MS = 15_000

/** Which addresses are blocked, and which sites may embed images. */
export function AccessPage() {
  const t = useTranslations('adminAccess')
  const trpc = useTRPC()
  const list = useQuery(trpc.access.list.queryOptions(undefined, { refetchInterval: LIST_MS }))
  return (
    <div className="mx-auto max-w-5xl px-4 pb-16 sm:px-6">
      <h1 className="py-6 text-2xl font-semibold tracking-[-0.02em]">{t('title')}</h1>
      {list.isPending && <Skeleton className="h-96 w-full" />}
      <QueryStanding query={list} />
      {list.data && (
        <div className="flex flex-col gap-12">
          <Ranges list={list.data} />
          <HotlinkForm rule={list.data.hotlink} />
        </div>
      )}
    </div>
  )
}
