'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Notice } from '#app/ui/notice.tsx'
import { saveSlot } from '../changes/slot.ts'
import { useAddedSlot } from '../changes/use-slots.ts'
import { useConsole } from '../console.tsx'
import type { AddedSetItem } from '../types.ts'
import { blankDraft, parseAddedDraft, toAddedDraft } from './added-draft.ts'
import { Editor, EntryForm, type Frame, useSaving } from './entry-form.tsx'
import { PlaceFields } from './place-fields.tsx'

/** A dialog to add a rule set to a procedure or route, or to change a known one. */
export function AddedEditor({ known, onClose }: { known: AddedSetItem | null; onClose: () => void }) {
  const t = useTranslations('adminAdded')
  return (
    <Editor title={known ? t('changeTitle', { name: known.name }) : t('addTitle')} onClose={onClose}>
      {(frame) => <AddedForm known={known} frame={frame} />}
    </Editor>
  )
}

function AddedForm({ known: shown, frame }: { known: AddedSetItem | null; frame: Frame }) {
  const t = useTranslations('adminAdded')
  const tOverrides = useTranslations('adminOverrides')
  const { procedures, ruleSets } = useConsole().list
  const [draft, setDraft] = useState(() =>
    shown?.set ? toAddedDraft(shown.name, shown.procedure, shown.set) : blankDraft(procedures[0]?.path ?? ''),
  )
  const [note, setNote] = useState(shown?.note ?? '')
  const slotOf = useAddedSlot()
  const saving = useSaving<AddedSetItem>(frame)
  const place = { name: draft.name, procedure: draft.procedure }
  const change = (part: Partial<typeof draft>) => {
    setDraft({ ...draft, ...part })
    saving.touch()
  }
  const set = parseAddedDraft(draft)
  const submit = () => {
    if (set) saving.save((seen) => saveSlot(slotOf(place), { set, note: note.trim() || null }, { shown, seen }))
  }
  return (
    <EntryForm
      {...{ saving, note, draft: draft.terms, onCancel: frame.onCancel, onSubmit: submit, isValid: set !== null }}
      unit="calls"
      canDegrade={ruleSets.find(({ name }) => name === shown?.name)?.canDegrade ?? false}
      chargingDefault={t('usual')}
      isNew={!shown}
      onChange={(terms) => change({ terms })}
      onNote={(text) => {
        setNote(text)
        frame.onChanged()
      }}
      notices={saving.isKept && <Notice tone="danger">{t('kept', place)}</Notice>}
      submitLabel={shown ? tOverrides('save') : t('add')}
    >
      {(isChecked) => (
        <>
          {!shown && <p className="text-sm text-ink-soft">{t('shadowFirst')}</p>}
          <PlaceFields draft={draft} procedures={procedures} isNew={!shown} onChange={change} isChecked={isChecked} />
        </>
      )}
    </EntryForm>
  )
}
