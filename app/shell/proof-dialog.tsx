'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { PasswordField } from '#app/ui/field.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ProofByPasskey } from './proof-by-passkey.tsx'
import { ProofByProvider } from './proof-by-provider.tsx'

interface Props {
  username: string
  /** Gets whether the proof was given. */
  onEnd: (isGiven: boolean) => void
}

/** Asks who uses the session, so that a call that waits for a proof can go on. */
export default function ProofDialog({ username, onEnd }: Props) {
  const t = useTranslations('shell')
  const ways = useQuery(useTRPC().identity.proofWays.queryOptions(undefined, { staleTime: 0, gcTime: 0 }))
  const { data } = ways
  return (
    <Dialog title={t('proofTitle')} isOpen isDismissable={false} onClose={() => onEnd(false)}>
      <ProofByPasskey onGiven={() => onEnd(true)} />
      {ways.isPending && <Skeleton className="h-24 w-full" />}
      {data && !data.password && <ProofByProvider providers={data.providers} onEnd={onEnd} />}
      {(data?.password || ways.isError) && <ProofByPassword username={username} onEnd={onEnd} />}
    </Dialog>
  )
}

function ProofByPassword({ username, onEnd }: Props) {
  const t = useTranslations('shell')
  const tUi = useTranslations('ui')
  const [password, setPassword] = useState('')
  const prove = useMutation(useTRPC().identity.proveByPassword.mutationOptions({ onSuccess: () => onEnd(true) }))
  const isHeldBack = useHeldBack(prove.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password !== '' && !isHeldBack && !prove.isPending) prove.mutate({ password })
  }
  return (
    <form method="dialog" onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-ink-soft">{t('proofText')}</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={t('proofPassword')}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus
        isRequired
      />
      <FormFailure error={prove.error} />
      <DialogActions>
        <Button onPress={() => onEnd(false)}>{tUi('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={prove.isPending} isDisabled={isHeldBack}>
          {t('proofConfirm')}
        </Button>
      </DialogActions>
    </form>
  )
}
