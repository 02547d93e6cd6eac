'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { PasswordField } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { passwordProblem } from './credentials.ts'

const blank = { current: '', fresh: '', again: '' }

/** Changes the password, or sets the first one of an account that signs in by a provider. */
export function ChangePassword() {
  const t = useTranslations('account')
  const query = useQuery(useTRPC().identity.linked.queryOptions())
  if (query.data?.passwords === false) return <Notice>{t('passwordsOff')}</Notice>
  return <PasswordForm hasPassword={query.data?.hasPassword ?? true} />
}

function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const { username } = useAccount()
  const tAccount = useTranslations('account')
  const tCredentials = useTranslations('credentials')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(blank)
  const [isChecked, setChecked] = useState(false)
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess: () => {
        setTyped(blank)
        setChecked(false)
        toast({ title: tAccount('passwordChanged') })
        return Promise.all(
          [trpc.account.sessions, trpc.account.passwordLinks, trpc.identity.linked].map((list) =>
            queryClient.invalidateQueries({ queryKey: list.queryKey() }),
          ),
        )
      },
    }),
  )
  const isHeldBack = useHeldBack(change.error)
  const short = passwordProblem(typed.fresh)
  const problem = passwordProblem(typed.fresh, typed.again)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!problem && !isHeldBack && !change.isPending)
      change.mutate({ currentPassword: typed.current, newPassword: typed.fresh })
  }
  const set = (name: keyof typeof blank) => (value: string) => setTyped({ ...typed, [name]: value })
  return (
    <form method="dialog" onSubmit={submit} className="flex max-w-sm flex-col gap-4">
      {/* Password managers save the change under this name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {hasPassword && (
        <PasswordField
          label={tAccount('currentPassword')}
          value={typed.current}
          onChange={set('current')}
          autoComplete="current-password"
          isRequired
        />
      )}
      <PasswordField
        label={tAccount('newPassword')}
        hint={tAccount('newPasswordHint')}
        error={isChecked && short ? tCredentials(`${short}`) : null}
        value={typed.fresh}
        onChange={set('fresh')}
        autoComplete="new-password"
        isRequired
      />
      <PasswordField
        label={tAccount('repeatPassword')}
        error={isChecked && problem && !short ? tCredentials(`${problem}`) : null}
        value={typed.again}
        onChange={set('again')}
        autoComplete="new-password"
        isRequired
      />
      <FormFailure error={change.error} />
      <Button type="submit" tone="primary" isPending={change.isPending} isDisabled={isHeldBack} className="self-start">
        {tAccount(hasPassword ? 'changePassword' : 'setPassword')}
      </Button>
    </form>
  )
}
