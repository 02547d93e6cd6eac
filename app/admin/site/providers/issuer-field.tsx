'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'

interface Props {
  issuer: string
  /** Whether accounts may be linked to it, so that it stays. */
  isFixed: boolean
  onChange: (issuer: string) => void
}

/** The address of a provider, with a button that asks it what it says of itself. */
export function IssuerField({ issuer, isFixed, onChange }: Props) {
  const t = useTranslations('adminProviders')
  const check = useMutation(useTRPC().provider.test.mutationOptions())
  const isHeldBack = useHeldBack(check.error)
  const change = (text: string) => {
    check.reset()
    onChange(text)
  }
  const found = check.data
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t('issuer')}
        hint={isFixed ? t('issuerFixed') : t('issuerHint')}
        value={issuer}
        onChange={change}
        inputMode="url"
        isDisabled={isFixed}
        isRequired
        isVerbatim
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="small"
          isPending={check.isPending}
          isDisabled={isHeldBack || issuer.trim() === ''}
          onPress={() => check.mutate({ issuer })}
        >
          {t('check')}
        </Button>
        {found && (
          <p role="status" className="min-w-0 flex-1 text-sm break-words text-good">
            {t(found.endsSession ? 'checkedLogout' : 'checked', { issuer: found.issuer })}
          </p>
        )}
      </div>
      <FormFailure error={check.error} />
    </div>
  )
}
