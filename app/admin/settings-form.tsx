'use client'

import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import type { CallFailure } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'

type Act = () => Promise<void>

interface Props {
  /** Rejects with why it cannot be. Null where something is missing. */
  save: Act | null
  /** Called when it is to be saved and something is missing: the fields tell what. */
  onIncomplete?: () => void
  /** What else may be done with what is there, such as removing it. */
  other?: { readonly label: string; readonly isDanger?: boolean; readonly run: Act } | null
  /** Of a dialog: called when nothing is to be done; and when all is, unless `onDone` is. */
  onClose?: () => void
  onDone?: () => void
  isDisabled?: boolean
  className?: string
  children: ReactNode
}

/** Settings that a superadmin saves: the reason why not stands at the form, and a refusal holds it back for its wait. */
export function SettingsForm({
  save,
  onIncomplete,
  other,
  onClose,
  onDone = onClose,
  isDisabled = false,
  className = '',
  children,
}: Props) {
  const act = useMutation<void, CallFailure, Act>({ mutationFn: (run) => run(), onSuccess: onDone })
  const isHeldBack = useHeldBack(act.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!save) {
      flushSync(() => onIncomplete?.())
      event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    } else if (!act.isPending && !isHeldBack) act.mutate(save)
  }
  const button = (
    <Button type="submit" tone="primary" isPending={act.isPending} isDisabled={isHeldBack || isDisabled}>
      Save
    </Button>
  )
  return (
    <form onSubmit={submit} className={`flex flex-col gap-4 ${className}`}>
      {children}
      <FormFailure error={act.error} />
      {onClose ? (
        <DialogActions>
          {other && (
            <Button
              tone={other.isDanger ? 'quiet-danger' : 'plain'}
              className="mr-auto"
              isDisabled={act.isPending || isHeldBack}
              onPress={() => act.mutate(other.run)}
            >
              {other.label}
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          {button}
        </DialogActions>
      ) : (
        button
      )}
    </form>
  )
}
