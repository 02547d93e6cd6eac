'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { toast } from '#app/ui/toast-queue.ts'

interface Props {
  readonly onDone: () => void
  /** None where there is no address to keep. */
  readonly onCancel?: () => void
}

/** Enters an address, to which a link is sent that confirms it. */
export function EmailForm({ onDone, onCancel }: Props) {
  const t = useTranslations('ownEmail')
  const tUi = useTranslations('ui')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const enter = useMutation(
    trpc.account.setEmail.mutationOptions({
      onSuccess: ({ pendingEmail }) => {
        toast({ title: t('sent', { email: pendingEmail }) })
        onDone()
        return queryClient.invalidateQueries({ queryKey: trpc.account.email.queryKey() })
      },
    }),
  )
  const isHeldBack = useHeldBack(enter.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (email.trim() !== '' && !isHeldBack && !enter.isPending) enter.mutate({ email })
  }
  return (
    <form onSubmit={submit} className="flex w-full max-w-sm flex-col gap-4">
      <Field
        label={t('address')}
        hint={t('addressHint')}
        value={email}
        onChange={setEmail}
        inputMode="email"
        autoComplete="email"
        isVerbatim
        isRequired
        autoFocus={onCancel !== undefined}
      />
      <FormFailure error={enter.error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isPending={enter.isPending} isDisabled={isHeldBack}>
          {t('send')}
        </Button>
        {onCancel && (
          <Button tone="quiet" onPress={onCancel}>
            {tUi('cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
