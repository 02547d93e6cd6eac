'use client'

import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import type { CallFailure } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'

type Act = () => Promise<void>

interface Props {
  /** Null while the form is incomplete. */
  save: Act | null
  /** Called instead of saving while the form is incomplete, so that its fields show what is missing. */
  onIncomplete?: () => void
  /** A second action, such as removing the setting. */
  other?: { readonly label: string; readonly isDanger?: boolean; readonly run: Act } | null
  /** For a dialog: called on Cancel, and after saving unless `onDone` is given. */
  onClose?: () => void
  onDone?: () => void
  isDisabled?: boolean
  className?: string
  children: ReactNode
}

/** A form of settings. Shows why saving failed; if a limit refused it, saving is disabled until the wait is over. */
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
  const tAdmin = useTranslations('admin')
  const tUi = useTranslations('ui')
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
      {tAdmin('save')}
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
          <Button onPress={onClose}>{tUi('cancel')}</Button>
          {button}
        </DialogActions>
      ) : (
        button
      )}
    </form>
  )
}
