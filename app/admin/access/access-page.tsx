'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { HotlinkForm } from './hotlink-form.tsx'
import { Ranges } from './ranges.tsx'

/** Others may change it too. */
const LIST_MS = 15_000

/** Who is let in, and on whose pages images may stand. */
export function AccessPage() {
  const trpc = useTRPC()
  const list = useQuery(trpc.access.list.queryOptions(undefined, { refetchInterval: LIST_MS }))
  return (
    <div className="mx-auto max-w-5xl px-4 pb-16 sm:px-6">
      <h1 className="py-6 text-2xl font-semibold tracking-[-0.02em]">Access</h1>
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
