'use client'

import { FingerprintPattern } from 'lucide-react'
import { useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { type Asked, askPasskey, forgetAsked } from '#app/shell/passkeys.ts'
import { useHasPasskeys } from '#app/shell/use-has-passkeys.ts'
import { Or } from '#app/ui/or.tsx'
import { beginPasskey } from './begin-passkey.ts'
import { Submit } from './submit.tsx'
import { reasonOf, useEntryForm } from './use-entry-form.ts'
import { useOfferedPasskeys } from './use-offered-passkeys.ts'

/** Signs in by a passkey alone, and opens `next`: by one that the user chooses in the browser's own dialog, or among the names that it
 *  fills in. `isBelowOthers` leaves out what tells it from the form above. */
export function PasskeySignIn({ next, isBelowOthers }: { next: string; isBelowOthers: boolean }) {
  const t = useTranslations('signIn')
  const tFailures = useTranslations('failures')
  const isPossible = useHasPasskeys()
  const form = useRef<HTMLFormElement>(null)
  const asked = useRef<Asked | null>(null)
  const begin = () => beginPasskey(tFailures('unknown'))
  const { submit, error, isHeldBack, isBusy } = useEntryForm({
    failure: null,
    prepare: async (fields) => {
      asked.current ??= await askPasskey(await begin(), tFailures)
      fields.set('answer', asked.current.answer)
    },
    onFail: (failed) => {
      if (asked.current && reasonOf(failed) === 'passkey-unknown') void forgetAsked(asked.current)
      asked.current = null
      offerAgain()
    },
  })
  const offerAgain = useOfferedPasskeys({
    begin,
    onChosen: (chosen) => {
      asked.current = chosen
      form.current?.requestSubmit()
    },
  })
  if (!isPossible) return null
  return (
    <form
      ref={form}
      action="/api/auth/form/passkey"
      method="post"
      onSubmit={submit}
      className="flex flex-col gap-5 noscript:hidden"
    >
      <input type="hidden" name="next" value={next} />
      {!isBelowOthers && <Or>{t('or')}</Or>}
      <FormFailure error={error} />
      <Submit tone="plain" isBusy={isBusy} isHeldBack={isHeldBack}>
        <FingerprintPattern size={18} /> {t('byPasskey')}
      </Submit>
    </form>
  )
}
