'use client'

import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import type { CallFailure } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { Check } from '#app/ui/check.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field, PasswordField } from '#app/ui/field.tsx'
import { type Draft, findProblems, type ShareItem } from './draft.ts'
import { EndFields } from './end-fields.tsx'
import { LimitFields } from './limit-fields.tsx'

interface Props {
  draft: Draft
  onChange: (draft: Draft) => void
  /** The share that is changed; null for a new one. */
  share: ShareItem | null
  /** The label of the button. */
  action: string
  isPending: boolean
  error: CallFailure | null
  onSubmit: () => void
  onClose: () => void
}

/** What an owner chooses for a share. */
export function ShareForm({ draft, onChange, share, action, isPending, error, onSubmit, onClose }: Props) {
  const t = useTranslations('sharing')
  const tUi = useTranslations('ui')
  const [isChecked, setChecked] = useState(false)
  const isHeldBack = useHeldBack(error)
  const problems = isChecked ? findProblems(draft, Date.now()) : null
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    const isRight = Object.values(findProblems(draft, Date.now())).every((problem) => problem === null)
    if (isRight && !isHeldBack && !isPending) onSubmit()
  }
  const hasPassword = share?.hasPassword === true
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={t('name')}
        hint={t('nameHint')}
        value={draft.title}
        onChange={(title) => set({ title })}
        maxLength={200}
        autoComplete="off"
        autoFocus
      />
      <div className="flex flex-col gap-2">
        <PasswordField
          label={hasPassword ? t('newPassword') : t('password')}
          hint={hasPassword ? t('newPasswordHint') : t('passwordHint')}
          value={draft.password}
          onChange={(password) => set({ password })}
          isDisabled={draft.removesPassword}
          maxLength={1_000}
          autoComplete="new-password"
        />
        {hasPassword && (
          <Check isOn={draft.removesPassword} onChange={(removesPassword) => set({ removesPassword, password: '' })}>
            {t('removePassword')}
          </Check>
        )}
      </div>
      <EndFields draft={draft} set={set} share={share} problems={problems} />
      <div className="flex flex-col gap-2">
        <Check isOn={draft.showsTitles} onChange={(showsTitles) => set({ showsTitles })}>
          {t('showsTitles')}
        </Check>
        <Check isOn={draft.originals} onChange={(originals) => set({ originals })} hint={t('originalsHint')}>
          {t('originals')}
        </Check>
      </div>
      <LimitFields draft={draft} set={set} problems={problems} />
      <FormFailure error={error} />
      <DialogActions>
        <Button onPress={onClose}>{tUi('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={isPending} isDisabled={isHeldBack}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
