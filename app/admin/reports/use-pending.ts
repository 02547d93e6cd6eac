'use client'

import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'

export type PendingImage = Outputs['guest']['list']['items'][number]

const PENDING = ['guests'] as const

/** New images appear this often while only the first page is shown. */
const POLL_MS = 15_000

/** The guests' images that wait for approval, and what is decided about them. */
export function usePending() {
  const t = useTranslations('adminReports')
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)
  const decide = async (image: PendingImage, act: 'approve' | 'reject') => {
    setBusy(image.id)
    try {
      await client.guest[act].mutate({ id: image.id })
      toast({ title: t(act === 'approve' ? 'approved' : 'rejected') })
    } catch (error) {
      reportFailure(t(act === 'approve' ? 'approveFailed' : 'rejectFailed'), error, () => void decide(image, act))
    } finally {
      await queryClient.invalidateQueries({ queryKey: PENDING })
      setBusy(null)
    }
  }
  const options = infiniteQueryOptions({
    queryKey: PENDING,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.guest.list.query(pageParam === null ? {} : { cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: (query) => (query.state.data && query.state.data.pages.length > 1 ? false : POLL_MS),
  })
  return {
    options,
    busy,
    approve: (image: PendingImage) => void decide(image, 'approve'),
    reject: (image: PendingImage) => void decide(image, 'reject'),
  }
}
