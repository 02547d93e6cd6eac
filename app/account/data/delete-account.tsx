'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { leaveTo } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Field, PasswordField } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'

/** Deletes the account, after showing what goes with it. */
export function DeleteAccount() {
  const t = useTranslations('ownData')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex max-w-md flex-col items-start gap-4">
      <p className="text-sm">{t('deleteText')}</p>
      <Button tone="quiet-danger" onPress={() => setOpen(true)} className="-ml-3">
        {t('delete')}
      </Button>
      <Dialog title={t('deleteTitle')} isOpen={isOpen} onClose={() => setOpen(false)} isDismissable={false}>
        <Preview onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function Preview({ onClose }: { onClose: () => void }) {
  const t = useTranslations('ownData')
  const trpc = useTRPC()
  const query = useQuery(trpc.account.previewDeletion.queryOptions(undefined, { staleTime: 0, gcTime: 0 }))
  if (!query.data) return <QueryStanding query={query} />
  if (query.data.isLastSuperadmin) return <Notice>{t('lastSuperadmin')}</Notice>
  return <Confirmation goes={query.data} onClose={onClose} />
}

function Confirmation({ goes, onClose }: { goes: Outputs['account']['previewDeletion']; onClose: () => void }) {
  const t = useTranslations('ownData')
  const tUi = useTranslations('ui')
  const tAccount = useTranslations('account')
  const format = useFormat()
  const account = useAccount()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const remove = useMutation(useTRPC().account.delete.mutationOptions())
  const isHeldBack = useHeldBack(remove.error)
  const isNamed = username.trim().toLowerCase() === account.username.toLowerCase()
  const isReady = isNamed && (password !== '' || !goes.hasPassword)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isHeldBack && !remove.isPending) remove.mutate({ username, password })
  }
  if (remove.isSuccess) {
    return (
      <>
        <p role="status">{t('deleted')}</p>
        <DialogActions>
          <Button tone="primary" autoFocus onPress={() => leaveTo('/')}>
            {t('leave')}
          </Button>
        </DialogActions>
      </>
    )
  }
  const { images, trashed, bytes, tokens, sessions, invites } = goes
  return (
    <form method="dialog" onSubmit={submit} className="flex flex-col gap-4">
      <div className="text-sm">
        <p className="mb-1.5 font-medium">{t('goes')}</p>
        <ul className="list-disc pl-5 marker:text-ink-soft">
          <li>{t('goesImages', { images, trashed, size: format.bytes(bytes) })}</li>
          <li>{t('goesAccess', { sessions, tokens, invites })}</li>
          <li>{t('goesProfile')}</li>
        </ul>
        <p className="mt-3 mb-1.5 font-medium">{t('stays')}</p>
        <p className="text-ink-soft">{t('staysText', { username: account.username })}</p>
      </div>
      <Field
        label={t('typeUsername', { username: account.username })}
        value={username}
        onChange={setUsername}
        autoComplete="off"
        isVerbatim
        isRequired
      />
      {goes.hasPassword && (
        <PasswordField
          label={tAccount('currentPassword')}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          isRequired
        />
      )}
      <FormFailure error={remove.error} />
      <DialogActions>
        <Button onPress={onClose}>{tUi('cancel')}</Button>
        <Button
          type="submit"
          tone="danger"
          isPending={remove.isPending}
          isDisabled={isHeldBack || !isReady}
        >
          {t('deleteForever')}
        </Button>
      </DialogActions>
    </form>
  )
}
