'use client'

import { useQuery } from '@tanstack/react-query'
import { notFound, usePathname } from 'next/navigation'
import { useState } from 'react'
import { type ImageItem, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ImageView } from './image-view.tsx'

/** An image by its slug. Without `initial` a limit held it back on the server: then it is asked for here, when the wait is over.
 *  And so is the one that was browsed to from here, when the browser's history leads back to its address. */
export function ImagePage({ slug, initial }: { slug: string; initial: ImageItem | null }) {
  const trpc = useTRPC()
  const address = usePathname()
  const [wanted] = useState(address.slice('/image/'.length))
  const given = wanted === slug ? initial : null
  const query = useQuery({
    ...trpc.image.get.queryOptions({ slug: wanted }),
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
