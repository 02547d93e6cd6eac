'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useSetting } from './setting.tsx'

/** Sends a mail with the saved settings, and says what came of it. */
export default function MailTest() {
  const t = useTranslations('adminSite')
  const trpc = useTRPC()
  const { isEdited } = useSetting('SLUICE_MAIL_SERVER')
  const [to, setTo] = useState('')
  const test = useMutation(trpc.mail.test.mutationOptions())
  const isHeldBack = useHeldBack(test.error)
  const send = () => {
    if (to.trim() !== '' && !isEdited && !isHeldBack && !test.isPending) test.mutate({ to })
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="w-full pr-12">
        <Field
          label={t('mailTestTo')}
          hint={isEdited ? t('mailTestSaveFirst') : undefined}
          value={to}
          onChange={setTo}
          // In a form that saves the settings, Enter would do that.
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            send()
          }}
          inputMode="email"
          autoComplete="email"
          isVerbatim
        />
      </div>
      <Button isPending={test.isPending} isDisabled={isEdited || isHeldBack || to.trim() === ''} onPress={send}>
        {t('mailTest')}
      </Button>
      <FormFailure error={test.error} />
      {test.data && <Notice>{t('mailTested', { email: test.data.to })}</Notice>}
    </div>
  )
}
