'use client'

import { useTranslations } from 'use-intl/react'
import { useAccountElsewhere } from '#app/shell/one-account.ts'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'

/** Shown while the user is signed out: the files stay in the queue, and signing in in another tab resumes them. */
export function SignedOut({ onReturn }: { onReturn: () => void }) {
  const t = useTranslations('upload')
  useAccountElsewhere(useAccount().userId, onReturn)
  return (
    <div className="m-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-gate-soft px-3 py-2.5 text-sm leading-snug">
      <p className="min-w-0 flex-1 basis-44">
        {t.rich('signedOut', {
          strong: (text) => <span className="font-semibold">{text}</span>,
          link: (text) => (
            <a href="/signin" target="_blank" rel="noreferrer" className="text-water underline underline-offset-4">
              {text}
            </a>
          ),
        })}
      </p>
      <Button size="small" onPress={onReturn}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}
