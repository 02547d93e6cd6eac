'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'

interface Props {
  passkey: { readonly id: string; readonly name: string }
  onDone: () => void
  /** Without it, there is no way but to go on. */
  onCancel?: () => void
}

/** Names a passkey. A name that stays the same is not saved again. */
export function NameForm({ passkey, onDone, onCancel }: Props) {
  const t = useTranslations('passkeys')
  const tUi = useTranslations('ui')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(passkey.name)
  const [isChecked, setChecked] = useState(false)
  const rename = useMutation(
    trpc.identity.renamePasskey.mutationOptions({
      onSuccess: () => {
        onDone()
        return queryClient.invalidateQueries({ queryKey: trpc.identity.passkeys.queryKey() })
      },
    }),
  )
  const isHeldBack = useHeldBack(rename.error)
  const name = typed.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (name === passkey.name) onDone()
    else if (name !== '' && !isHeldBack && !rename.isPending) rename.mutate({ id: passkey.id, name })
  }
  return (
    <form method="dialog" onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={t('name')}
        hint={t('nameHint')}
        error={isChecked && name === '' ? t('nameMissing') : null}
        value={typed}
        onChange={setTyped}
        maxLength={60}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <FormFailure error={rename.error} />
      <DialogActions>
        {onCancel && <Button onPress={onCancel}>{tUi('cancel')}</Button>}
        <Button type="submit" tone="primary" isPending={rename.isPending} isDisabled={isHeldBack}>
          {t('save')}
        </Button>
      </DialogActions>
    </form>
  )
}
