'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { NewToken } from './new-token.tsx'
import { ScopeFields } from './scope-fields.tsx'
import { daysOf, type Expiry, expiries, type Scope } from './scope-words.ts'

interface Props {
  origin: string
  isOpen: boolean
  onClose: () => void
}

/** Makes a token, and shows it: with the dialog it is gone. */
export function CreateToken({ origin, isOpen, onClose }: Props) {
  const [token, setToken] = useState<string | null>(null)
  const close = () => {
    setToken(null)
    onClose()
  }
  return (
    <Dialog
      title={token === null ? 'Create a token' : 'Your new token'}
      isOpen={isOpen}
      onClose={close}
      isWide={token !== null}
      isDismissable={token === null}
    >
      {token === null ? (
        <CreateTokenForm onMade={setToken} onClose={close} />
      ) : (
        <NewToken origin={origin} token={token} onClose={close} />
      )}
    </Dialog>
  )
}

const blank = { name: '', scopes: ['upload'] as readonly Scope[], expiry: '365' as Expiry }

function CreateTokenForm({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(blank)
  const [isChecked, setChecked] = useState(false)
  const create = useMutation(
    trpc.token.create.mutationOptions({
      // No copy of the token stays behind.
      gcTime: 0,
      onSuccess: ({ token }) => {
        onMade(token)
        return queryClient.invalidateQueries({ queryKey: trpc.token.list.queryKey() })
      },
    }),
  )
  const isHeldBack = useHeldBack(create.error)
  const problems = {
    name: typed.name.trim() ? null : 'Give it a name, such as the program’s.',
    scopes: typed.scopes.length > 0 ? null : 'Choose what the token may do.',
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    const { name, scopes, expiry } = typed
    if (!problems.name && !problems.scopes && !isHeldBack && !create.isPending)
      create.mutate({ name, scopes: [...scopes], expiresInDays: daysOf(expiry) })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Name"
        hint="For you to know it by."
        placeholder="ShareX on my laptop"
        error={isChecked ? problems.name : null}
        value={typed.name}
        onChange={(name) => setTyped({ ...typed, name })}
        maxLength={60}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <ScopeFields
        scopes={typed.scopes}
        onChange={(scopes) => setTyped({ ...typed, scopes })}
        error={isChecked ? problems.scopes : null}
      />
      <div className="flex flex-col items-start gap-1.5">
        <span aria-hidden="true" className="text-sm font-medium">
          Expires after
        </span>
        <Segments
          label="Expires after"
          value={typed.expiry}
          options={expiries}
          onChange={(expiry) => setTyped({ ...typed, expiry })}
        />
      </div>
      <FormFailure error={create.error} />
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" tone="primary" isPending={create.isPending} isDisabled={isHeldBack}>
          Create token
        </Button>
      </DialogActions>
    </form>
  )
}
