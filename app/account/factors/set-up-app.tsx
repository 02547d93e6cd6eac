'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import Qr from '#app/ui/qr.tsx'

interface Props {
  begun: Outputs['identity']['beginTotp']
  onDone: (recoveryCodes: readonly string[]) => void
  /** The button that leaves it. */
  cancel?: ReactNode
}

/** Sets up an authenticator app: shows its secret, and asks for the first code. */
export function SetUpApp({ begun: { uri, secret, setUp }, onDone, cancel }: Props) {
  const t = useTranslations('factors')
  const [code, setCode] = useState('')
  const [isChecked, setChecked] = useState(false)
  const confirm = useMutation(
    useTRPC().identity.confirmTotp.mutationOptions({
      // The cache must not keep a copy of the codes.
      gcTime: 0,
      onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    }),
  )
  const isHeldBack = useHeldBack(confirm.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (code.trim() !== '' && !isHeldBack && !confirm.isPending) confirm.mutate({ setUp, code })
  }
  return (
    <form method="dialog" onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-ink-soft">{t('scan')}</p>
      <Qr text={uri} label={t('qr')} />
      <div className="flex flex-col gap-1.5">
        <p className="text-sm text-ink-soft">{t('orType')}</p>
        <div className="flex items-center gap-3 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <output aria-label={t('key')} dir="ltr" className="min-w-0 flex-1 font-mono text-sm break-words">
            {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </output>
          <CopyButton text={secret} label={t('copyKey')} word={t('copy')} />
        </div>
      </div>
      <Field
        label={t('code')}
        hint={t('codeHint')}
        error={isChecked && code.trim() === '' ? t('codeMissing') : null}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000 000"
        maxLength={20}
        isVerbatim
        isRequired
      />
      <FormFailure error={confirm.error} />
      <DialogActions>
        {cancel}
        <Button type="submit" tone="primary" isPending={confirm.isPending} isDisabled={isHeldBack}>
          {t('confirm')}
        </Button>
      </DialogActions>
    </form>
  )
}
