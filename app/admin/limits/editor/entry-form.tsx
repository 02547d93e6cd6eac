'use client'

import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { Formats } from '#format/formats.ts'
import { GuardedDialog } from '../../guarded-dialog.tsx'
import type { Saved, Warning } from '../changes/slot.ts'
import { TermsFields } from './terms-fields.tsx'

/** What a form tells its dialog. */
export interface Frame {
  readonly onChanged: () => void
  readonly onCancel: () => void
  readonly onSaved: () => void
}

interface EditorProps {
  title: string
  onClose: () => void
  children: (frame: Frame) => ReactNode
}

/** A dialog around a form, which asks before what was typed is lost. */
export function Editor({ title, onClose, children }: EditorProps) {
  const [isChanged, setChanged] = useState(false)
  return (
    <GuardedDialog title={title} isChanged={isChanged} onClose={onClose} isWide>
      {(leave) => children({ onChanged: () => setChanged(true), onCancel: leave, onSaved: onClose })}
    </GuardedDialog>
  )
}

/** The saving of a form. `onConflict` learns what someone else has stored in the meantime. */
export function useSaving<Item>({ onChanged, onSaved }: Frame, onConflict?: (now: Item | null) => void) {
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (run: () => Promise<Saved<Item>>) => run(),
    onSuccess: (saved) => {
      if (saved.isSaved) onSaved()
      else if (saved.warnings.length === 0) onConflict?.(saved.now)
    },
  })
  const warnings = data?.warnings ?? []
  const isHeldBack = useHeldBack(error)
  const isBusy = isHeldBack || isPending
  /** A change discards the last error, but not a refusal, whose wait still applies. */
  const touch = () => {
    onChanged()
    if (!isBusy) reset()
  }
  /** Warnings that were shown are not asked about again. */
  const save = (run: (seen: boolean) => Promise<Saved<Item>>) => mutate(() => run(warnings.length > 0))
  const isKept = data?.isSaved === false && warnings.length === 0
  return { save, touch, warnings, error, isPending, isHeldBack, isBusy, isKept }
}

interface Props extends Omit<ComponentProps<typeof TermsFields>, 'isChecked' | 'children' | 'result'> {
  saving: Omit<ReturnType<typeof useSaving>, 'save'>
  onCancel: () => void
  note: string
  onNote: (note: string) => void
  /** Whether every field is valid. */
  isValid: boolean
  onSubmit: () => void
  submitLabel: string
  isDisabled?: boolean
  /** The fields above the terms. */
  children: (isChecked: boolean) => ReactNode
  /** What the terms come to. */
  result?: ReactNode
  notices?: ReactNode
}

/** The form of an override, a trial or an added set: its fields, what is wrong with them, and its saving. */
export function EntryForm({ saving, onCancel, isValid, onSubmit, submitLabel, isDisabled = false, ...props }: Props) {
  const { note, onNote, children, result, notices, ...terms } = props
  const t = useTranslations('adminOverrides')
  const [isChecked, setChecked] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (isValid && !isDisabled && !saving.isBusy) onSubmit()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {children(isChecked)}
      <TermsFields {...terms} isChecked={isChecked}>
        <Field label={t('note')} hint={t('noteHint')} value={note} onChange={onNote} maxLength={500} />
      </TermsFields>
      {result}
      {isChecked && !isValid && <Notice tone="danger">{t('invalid')}</Notice>}
      <WarningNotice warnings={saving.warnings} />
      <FormFailure error={saving.error} />
      {notices}
      <DialogActions>
        <Button onPress={onCancel}>{t('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={saving.isPending} isDisabled={saving.isHeldBack || isDisabled}>
          {saving.warnings.length > 0 ? t('saveAnyway') : submitLabel}
        </Button>
      </DialogActions>
    </form>
  )
}

/** What rules would do that is probably not meant, before they are saved. */
function WarningNotice({ warnings }: { warnings: readonly Warning[] }) {
  const t = useTranslations('adminOverrides')
  const format = useFormat()
  if (warnings.length === 0) return null
  return (
    <div role="alert">
      <Notice tone="gate">
        {format.sentences([...warnings.map((warning) => overrideWarningText(t, format, warning)), t('warned')])}
      </Notice>
    </div>
  )
}

/** A warning about the rules of an override that was saved. */
export function overrideWarningText(t: Translate<'adminOverrides'>, format: Formats, warning: Warning): string {
  const nameRule = ({ policy, parts }: Warning['rule']) => ({ policy, rule: format.rule(parts) })
  const nameOther = ({ policy, parts }: Warning['rule']) => ({ otherPolicy: policy, other: format.rule(parts) })
  const names = nameRule(warning.rule)
  if (warning.kind === 'idle') return t('warning.idle', { ...names, ...nameOther(warning.other) })
  const { other } = warning
  if (!other) return t('warning.leverUnheld', names)
  return t('warning.lever', { ...names, ...nameOther(other.rule), most: format.amount(other.most, other.unit) })
}
