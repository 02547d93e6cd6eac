'use client'

import { useQuery } from '@tanstack/react-query'
import { notFound, usePathname } from 'next/navigation'
import { useState } from 'react'
import { type ImageItem, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ImageView } from './image-view.tsx'

/** An image by its slug. Without `initial`, because a limit refused it on the server, it is loaded here after the wait. So is an
 *  image that the browser's history returns to after browsing from this one. */
export function ImagePage({ slug, initial }: { slug: string; initial: ImageItem | null }) {
  const trpc = useTRPC()
  const address = usePathname()
  const [requested] = useState(address.slice('/image/'.length))
  const given = requested === slug ? initial : null
  const query = useQuery({
    ...trpc.image.get.queryOptions({ slug: requested }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: given === null,
  })
  const image = given ?? query.data
  if (image) return <ImageView initial={image} />
  if (query.error?.data?.code === 'NOT_FOUND') notFound()
  return (
    <div className="flex flex-col gap-4 p-4 sm:p-6">
      <QueryStanding query={query} />
      <Skeleton className="h-[60vh]" />
    </div>
  )
}
