'use client'

import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useTranslations } from 'use-intl/react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { askPasskey } from '#app/shell/passkeys.ts'
import type { SecondStepName } from '#server/identity/second-step/methods.ts'
import type { LastPost } from './failure-cookie.ts'
import { secondStepFields } from './second-step-fields.tsx'
import { Submit } from './submit.tsx'
import { useEntryForm } from './use-entry-form.ts'

interface Props {
  readonly method: SecondStepName
  /** All that the account has. */
  readonly methods: readonly SecondStepName[]
  /** What a passkey is asked for; null if the account has none. */
  readonly passkey: PublicKeyCredentialRequestOptionsJSON | null
  readonly next: string
  readonly last: LastPost | null
}

const link = 'text-water underline underline-offset-4'

/** Takes the second step of a sign-in and opens `next`. */
export function SecondStepForm({ method, methods, passkey, next, last }: Props) {
  const t = useTranslations('signIn')
  const tFailures = useTranslations('failures')
  const prepare = async (fields: FormData) => {
    if (method === 'passkey' && passkey) fields.set('answer', (await askPasskey(passkey, tFailures)).answer)
  }
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null, prepare })
  const Fields = secondStepFields[method]
  const isOther = (each: SecondStepName): boolean => each !== method
  return (
    <form action="/api/auth/form/verify" method="post" onSubmit={submit} className="flex flex-col gap-5">
      <input type="hidden" name="method" value={method} />
      <input type="hidden" name="next" value={next} />
      <Fields />
      <label className="flex items-center gap-2.5 text-sm">
        <input type="checkbox" name="trusts" className="size-4 accent-(--color-water)" />
        {t('trustBrowser')}
      </label>
      <FormFailure error={error} />
      <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
        {t(method === 'passkey' ? 'verifyByPasskey' : 'verify')}
      </Submit>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {methods.filter(isOther).map((each) => (
          <a key={each} href={`/signin/verify?${new URLSearchParams({ method: each, next })}`} className={link}>
            {t(`useMethod.${each}`)}
          </a>
        ))}
        <a href={`/signin?${new URLSearchParams({ next })}`} className={link}>
          {t('signInAgain')}
        </a>
      </p>
    </form>
  )
}
