'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { CallFailed } from '#app/entry/failure.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { signOut } from '#app/shell/sign-in.ts'
import { buttonClass } from '#app/ui/button-class.ts'

/** Signs out, for somebody who cannot set up a factor now. */
export function Leave({ label }: { label: string }) {
  const t = useTranslations('signIn')
  const [error, setError] = useState<Error | null>(null)
  const leave = () =>
    signOut(t).catch((thrown: unknown) =>
      setError(thrown instanceof Error ? thrown : new CallFailed({ message: t('signOutFailed') })),
    )
  return (
    <>
      <FormFailure error={error} />
      <button type="button" onClick={leave} className={buttonClass('plain')}>
        {label}
      </button>
    </>
  )
}
