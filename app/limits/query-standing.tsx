'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Notice } from '#app/ui/notice.tsx'
import { LateRefusal } from './late-refusal.tsx'
import { type CallFailure, hasCode, isSignedOut } from './message.ts'
import { findRefusal } from './refusal.ts'
import { useErrorMessage } from './use-error-message.ts'

interface Props {
  query: {
    readonly error: CallFailure | null
    readonly failureReason: CallFailure | null
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
}

/** Shows what a query is waiting for or why it failed: a limit's countdown, an ended session, or a sentence. */
export function QueryStanding({ query }: Props) {
  const pathname = usePathname()
  const t = useTranslations('failures')
  const errorMessage = useErrorMessage()
  const refusal = query.isFetching ? findRefusal(query.failureReason) : findRefusal(query.error)
  if (refusal) {
    const again = query.isFetching ? undefined : () => query.refetch()
    return (
      <LateRefusal
        key={refusal.until}
        refusal={refusal}
        onRetry={again}
        resumes={query.isFetching}
        className="mx-auto my-6 max-w-md"
      />
    )
  }
  if (!query.error || query.isFetching) return null
  return (
    <div className="mx-auto my-6 flex max-w-md flex-col items-center gap-3">
      <Notice tone="danger">{errorMessage(query.error)}</Notice>
      {isSignedOut(query.error) ? (
        <Link
          href={`/signin?next=${encodeURIComponent(pathname)}`}
          prefetch={false}
          className={buttonClass('primary', 'small')}
        >
          {t('signIn')}
        </Link>
      ) : (
        // What was wrong in a question stays wrong.
        !hasCode(query.error, 'BAD_REQUEST') && (
          <Button size="small" onPress={() => query.refetch()}>
            {t('tryAgain')}
          </Button>
        )
      )}
    </div>
  )
}
