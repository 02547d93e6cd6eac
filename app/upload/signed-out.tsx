'use client'

import { useAccountElsewhere } from '#app/shell/one-account.ts'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'

/** Why nothing is sent any more, and the way back in beside the files, which wait here. */
export function SignedOut({ onReturn }: { onReturn: () => void }) {
  useAccountElsewhere(useAccount().userId, onReturn)
  return (
    <div className="m-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-gate-soft px-3 py-2.5 text-sm leading-snug">
      <p className="min-w-0 flex-1 basis-44">
        <span className="font-semibold">You are signed out.</span>{' '}
        <a href="/signin" target="_blank" rel="noreferrer" className="text-water underline underline-offset-4">
          Sign in in another tab
        </a>
        , and the uploads go on.
      </p>
      <Button size="small" onPress={onReturn}>
        Try again
      </Button>
    </div>
  )
}
