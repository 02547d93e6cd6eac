'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { NewToken } from './new-token.tsx'
import { ScopeFields } from './scope-fields.tsx'
import { type Expiry, expiries, expiryDays, type Scope } from './scopes.ts'

interface Props {
  origin: string
  onClose: () => void
}

/** Creates a token and shows it until the dialog is closed. */
export default function CreateToken({ origin, onClose }: Props) {
  const t = useTranslations('tokens')
  const [token, setToken] = useState<string | null>(null)
  return (
    <Dialog
      title={token === null ? t('create') : t('created')}
      isOpen
      onClose={onClose}
      isWide={token !== null}
      isDismissable={token === null}
    >
      {token === null ? (
        <CreateTokenForm onCreated={setToken} onClose={onClose} />
      ) : (
        <NewToken origin={origin} token={token} onClose={onClose} />
      )}
    </Dialog>
  )
}

const blank = { name: '', scopes: ['upload'] as readonly Scope[], expiry: '365' as Expiry }

function CreateTokenForm({ onCreated, onClose }: { onCreated: (token: string) => void; onClose: () => void }) {
  const tTokens = useTranslations('tokens')
  const tUi = useTranslations('ui')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(blank)
  const [isChecked, setChecked] = useState(false)
  const create = useMutation(
    trpc.token.create.mutationOptions({
      // The cache must not keep a copy of the token.
      gcTime: 0,
      onSuccess: ({ token }) => {
        onCreated(token)
        return queryClient.invalidateQueries({ queryKey: trpc.token.list.queryKey() })
      },
    }),
  )
  const isHeldBack = useHeldBack(create.error)
  const problems = {
    name: typed.name.trim() ? null : tTokens('nameMissing'),
    scopes: typed.scopes.length > 0 ? null : tTokens('scopesMissing'),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    const { name, scopes, expiry } = typed
    if (!problems.name && !problems.scopes && !isHeldBack && !create.isPending)
      create.mutate({ name, scopes: [...scopes], expiresInDays: expiryDays(expiry) })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={tTokens('name')}
        hint={tTokens('nameHint')}
        placeholder={tTokens('nameExample')}
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
          {tTokens('expiry')}
        </span>
        <Segments
          label={tTokens('expiry')}
          value={typed.expiry}
          options={expiries.map((value) => ({ value, label: tTokens(`expiryOptions.${value}`) }))}
          onChange={(expiry) => setTyped({ ...typed, expiry })}
        />
      </div>
      <FormFailure error={create.error} />
      <DialogActions>
        <Button onPress={onClose}>{tUi('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={create.isPending} isDisabled={isHeldBack}>
          {tTokens('create')}
        </Button>
      </DialogActions>
    </form>
  )
}
