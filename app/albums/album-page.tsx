'use client'

import { useQuery } from '@tanstack/react-query'
import { notFound } from 'next/navigation'
import { type AlbumItem, useTRPCClient } from '#app/connection/trpc.ts'
import { hasCode } from '#app/limits/message.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AlbumView } from './album-view.tsx'
import { albumKey } from './use-albums.ts'

/** An album by its ID. Without `initial`, because a limit refused it on the server, it is loaded here after the wait. */
export function AlbumPage({ id, initial }: { id: string; initial: AlbumItem | null }) {
  const client = useTRPCClient()
  const query = useQuery({
    queryKey: albumKey(id),
    queryFn: ({ signal }) => client.album.get.query({ id }, { signal }),
    ...(initial && { initialData: initial }),
    staleTime: 30_000,
  })
  if (query.data) return <AlbumView album={query.data} />
  if (hasCode(query.error, 'NOT_FOUND')) notFound()
  return (
    <div className="flex flex-col gap-4 p-4 sm:p-6">
      <QueryStanding query={query} />
      <Skeleton className="h-[60vh]" />
    </div>
  )
}
