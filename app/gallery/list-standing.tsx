'use client'

import type { ReactNode } from 'react'
import { type Failure, messageOf } from '#app/limits/message.ts'
import { refusalOf } from '#app/limits/refusal.ts'
import { RefusalNotice } from '#app/limits/refusal-notice.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'

interface Props {
  query: {
    readonly error: Failure | null
    readonly failureReason: Failure | null
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  children?: ReactNode
}

/** Under a list: a limit that its next page waits for, or what went wrong with it. */
export function ListStanding({ query }: Props) {
  const refusal = query.isFetching ? refusalOf(query.failureReason) : refusalOf(query.error)
  if (refusal) {
    const again = query.isFetching ? undefined : () => query.refetch()
    return <RefusalNotice key={refusal.until} refusal={refusal} onRetry={again} className="mx-auto my-6 max-w-md" />
  }
  if (!query.error || query.isFetching) return null
  return (
    <div className="mx-auto my-6 flex max-w-md flex-col items-center gap-3">
      <Notice tone="danger">{messageOf(query.error)}</Notice>
      <Button size="small" onPress={() => query.refetch()}>
        Try again
      </Button>
    </div>
  )
}
