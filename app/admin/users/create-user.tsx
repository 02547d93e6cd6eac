'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
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
import { type Role, RoleFields } from './role-fields.tsx'
import { useUserCache } from './use-users.ts'

const blank = { username: '', password: '', role: 'user' as Role, shared: false }

export function CreateUser({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Create user" isOpen={isOpen} onClose={onClose}>
      <CreateUserForm onClose={onClose} />
    </Dialog>
  )
}

function CreateUserForm({ onClose }: { onClose: () => void }) {
  const viewer = useAccount()
  const errorMessage = useErrorMessage()
  const trpc = useTRPC()
  const cache = useUserCache()
  const [typed, setTyped] = useState(blank)
  const [isChecked, setChecked] = useState(false)
  const nameField = useRef<HTMLDivElement>(null)
  const create = useMutation(
    trpc.user.create.mutationOptions({
      onSuccess: ({ username }) => {
        toast({ title: `${username} can sign in now.` })
        onClose()
        return cache.refresh()
      },
      onError: (error) => {
        if (hasCode(error, 'CONFLICT')) nameField.current?.querySelector('input')?.focus()
      },
    }),
  )
  const isHeldBack = useHeldBack(create.error)
  const taken = hasCode(create.error, 'CONFLICT') ? errorMessage(create.error) : null
  const problems = { username: usernameProblem(typed.username), password: passwordProblem(typed.password) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!problems.username && !problems.password && !isHeldBack) create.mutate(typed)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        ref={nameField}
        label="User name"
        hint="3 to 32 letters, digits, dots, dashes or underscores."
        error={(isChecked ? problems.username : null) ?? taken}
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
      <NewPasswordField
        value={typed.password}
        onChange={(password) => setTyped({ ...typed, password })}
        error={isChecked ? problems.password : null}
      />
      {viewer.role === 'superadmin' && (
        <RoleFields
          role={typed.role}
          shared={typed.shared}
          onRole={(role) => setTyped((before) => ({ ...before, role }))}
          onShared={(shared) => setTyped((before) => ({ ...before, shared }))}
        />
      )}
      {!taken && <FormFailure error={create.error} />}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" tone="primary" isPending={create.isPending} isDisabled={isHeldBack}>
          Create user
        </Button>
      </DialogActions>
    </form>
  )
}
