'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Notice } from '#app/ui/notice.tsx'
import { type CallFailure, isSignedOut, messageOf } from './message.ts'
import { refusalOf } from './refusal.ts'
import { RefusalNotice } from './refusal-notice.tsx'
import { useErrorText } from './use-error-text.ts'

interface Props {
  query: {
    readonly error: CallFailure | null
    readonly failureReason: CallFailure | null
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
}

/** What a query waits for or failed with: a limit's countdown, a session that has ended, or a sentence. */
export function QueryStanding({ query }: Props) {
  const pathname = usePathname()
  const sayError = useErrorText()
  const refusal = query.isFetching ? refusalOf(query.failureReason) : refusalOf(query.error)
  if (refusal) {
    const again = query.isFetching ? undefined : () => query.refetch()
    return (
      <RefusalNotice
        key={refusal.until}
        refusal={refusal}
        onRetry={again}
        goesOn={query.isFetching}
        className="mx-auto my-6 max-w-md"
      />
    )
  }
  if (!query.error || query.isFetching) return null
  return (
    <div className="mx-auto my-6 flex max-w-md flex-col items-center gap-3">
      <Notice tone="danger">{messageOf(query.error, sayError)}</Notice>
      {isSignedOut(query.error) ? (
        <Link
          href={`/signin?next=${encodeURIComponent(pathname)}`}
          prefetch={false}
          className={buttonClass('primary', 'small')}
        >
          Sign in
        </Link>
      ) : (
        <Button size="small" onPress={() => query.refetch()}>
          Try again
        </Button>
      )}
    </div>
  )
}
