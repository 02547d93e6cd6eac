'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { GuardedDialog } from '../../guarded-dialog.tsx'
import { saveSlot } from '../changes/slot-changes.ts'
import { useAddedSlot } from '../changes/use-added-slot.ts'
import { WarningNotice } from '../changes/warning-notice.tsx'
import { TermsFields } from '../overrides/terms-fields.tsx'
import type { AddedSetItem, ProcedureItem } from '../types.ts'
import { type AddedSet, blankDraft, parseAddedDraft, toAddedDraft } from './added-draft.ts'
import { PlaceFields } from './place-fields.tsx'

interface Props {
  procedures: readonly ProcedureItem[]
  /** The set to change; null for a new one. */
  known: AddedSetItem | null
  /** Whether the procedure of a known set has a cheaper answer. */
  canDegrade: boolean
  onClose: () => void
}

/** A dialog to add a rule set to a procedure or route, or to change one. */
export function AddedEditor({ onClose, ...props }: Props) {
  const t = useTranslations('adminAdded')
  const [isChanged, setChanged] = useState(false)
  const title = props.known ? t('changeTitle', { name: props.known.name }) : t('addTitle')
  return (
    <GuardedDialog title={title} isChanged={isChanged} onClose={onClose} isWide>
      {(leave) => <AddedForm {...props} onChanged={() => setChanged(true)} onCancel={leave} onSaved={onClose} />}
    </GuardedDialog>
  )
}

interface FormProps extends Omit<Props, 'onClose'> {
  onChanged: () => void
  onCancel: () => void
  onSaved: () => void
}

function AddedForm({ procedures, known, canDegrade, onChanged, onCancel, onSaved }: FormProps) {
  const t = useTranslations('adminAdded')
  const tOverrides = useTranslations('adminOverrides')
  const [shown] = useState(known)
  const [draft, setDraft] = useState(() =>
    shown?.set ? toAddedDraft(shown.name, shown.procedure, shown.set) : blankDraft(procedures[0]?.path ?? ''),
  )
  const [note, setNote] = useState(shown?.note ?? '')
  const [isChecked, setChecked] = useState(false)
  const slotOf = useAddedSlot()
  const place = { name: draft.name, procedure: draft.procedure }
  const saving = useMutation({
    mutationFn: ({ set, seen }: { set: AddedSet; seen: boolean }) =>
      saveSlot(slotOf(place), { set, note: note.trim() || null }, { shown, seen }),
    onSuccess: ({ isSaved }) => isSaved && onSaved(),
  })
  const warnings = saving.data?.warnings ?? []
  const isHeldBack = useHeldBack(saving.error)
  const change = (part: Partial<typeof draft>) => {
    setDraft({ ...draft, ...part })
    onChanged()
    if (!isHeldBack && !saving.isPending) saving.reset()
  }
  const set = parseAddedDraft(draft)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (set && !isHeldBack && !saving.isPending) saving.mutate({ set, seen: warnings.length > 0 })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {!shown && <p className="text-sm text-ink-soft">{t('shadowFirst')}</p>}
      <PlaceFields draft={draft} procedures={procedures} isNew={!shown} onChange={change} isChecked={isChecked} />
      <TermsFields
        draft={draft.terms}
        unit="calls"
        canDegrade={canDegrade}
        chargingDefault={t('usual')}
        isNew={!shown}
        onChange={(terms) => change({ terms })}
        isChecked={isChecked}
      >
        <Field
          label={tOverrides('note')}
          hint={tOverrides('noteHint')}
          value={note}
          onChange={(text) => {
            setNote(text)
            onChanged()
          }}
          maxLength={500}
        />
      </TermsFields>
      {isChecked && !set && <Notice tone="danger">{tOverrides('invalid')}</Notice>}
      <WarningNotice warnings={warnings} />
      {saving.data?.isSaved === false && warnings.length === 0 && <Notice tone="danger">{t('kept', place)}</Notice>}
      <FormFailure error={saving.error} />
      <DialogActions>
        <Button onPress={onCancel}>{tOverrides('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={saving.isPending} isDisabled={isHeldBack}>
          {warnings.length > 0 ? tOverrides('saveAnyway') : shown ? tOverrides('save') : t('add')}
        </Button>
      </DialogActions>
    </form>
  )
}
