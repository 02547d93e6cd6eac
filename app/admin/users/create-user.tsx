'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { passwordProblem, usernameProblem } from '#app/account/credentials.ts'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { hasCode } from '#app/limits/message.ts'
import { useErrorMessage } from '#app/limits/use-error-message.ts'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { PasswordLink } from './password-link.tsx'
import { type Role, RoleFields } from './role-fields.tsx'
import { useUserCache } from './use-users.ts'

const blank = { username: '', password: '', role: 'user' as Role, shared: false }

export default function CreateUser({ onClose }: { onClose: () => void }) {
  const t = useTranslations('adminUsers')
  return (
    <Dialog title={t('createUser')} isOpen onClose={onClose}>
      <CreateUserForm onClose={onClose} />
    </Dialog>
  )
}

function CreateUserForm({ onClose }: { onClose: () => void }) {
  const tAdminUsers = useTranslations('adminUsers')
  const tCredentials = useTranslations('credentials')
  const tUi = useTranslations('ui')
  const viewer = useAccount()
  const errorMessage = useErrorMessage()
  const trpc = useTRPC()
  const cache = useUserCache()
  const [typed, setTyped] = useState(blank)
  const [isChecked, setChecked] = useState(false)
  const nameField = useRef<HTMLDivElement>(null)
  const create = useMutation(
    trpc.user.create.mutationOptions({
      onSuccess: ({ username, link }) => {
        if (!link) {
          toast({ title: tAdminUsers('userCreated', { username }) })
          onClose()
        }
        return cache.refresh()
      },
      onError: (error) => {
        if (hasCode(error, 'CONFLICT')) nameField.current?.querySelector('input')?.focus()
      },
    }),
  )
  const isHeldBack = useHeldBack(create.error)
  const taken = hasCode(create.error, 'CONFLICT') ? errorMessage(create.error) : null
  const problems = {
    username: usernameProblem(typed.username),
    password: typed.password ? passwordProblem(typed.password) : null,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    const { password, ...rest } = typed
    if (!problems.username && !problems.password && !isHeldBack)
      create.mutate({ ...rest, ...(password && { password }) })
  }
  if (create.data?.link) {
    return <PasswordLink username={create.data.username} link={create.data.link} onClose={onClose} />
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        ref={nameField}
        label={tCredentials('username')}
        hint={tCredentials('usernameHint')}
        error={isChecked && problems.username ? tCredentials(`${problems.username}`) : taken}
        value={typed.username}
        onChange={(username) => {
          setTyped({ ...typed, username })
          if (taken) create.reset()
        }}
        autoComplete="off"
        isVerbatim
        isRequired
        autoFocus
      />
      {viewer.role === 'superadmin' ? (
        <>
          <NewPasswordField
            value={typed.password}
            onChange={(password) => setTyped({ ...typed, password })}
            error={isChecked && problems.password ? tCredentials(`${problems.password}`) : null}
          />
          <RoleFields
            role={typed.role}
            shared={typed.shared}
            onRole={(role) => setTyped((before) => ({ ...before, role }))}
            onShared={(shared) => setTyped((before) => ({ ...before, shared }))}
          />
        </>
      ) : (
        <p className="text-sm text-ink-soft">{tAdminUsers('firstPasswordText')}</p>
      )}
      {!taken && <FormFailure error={create.error} />}
      <DialogActions>
        <Button onPress={onClose}>{tUi('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={create.isPending} isDisabled={isHeldBack}>
          {tAdminUsers('createUser')}
        </Button>
      </DialogActions>
    </form>
  )
}
