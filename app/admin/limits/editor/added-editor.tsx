'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Select } from '#app/ui/select.tsx'
import { saveSlot } from '../changes/slot.ts'
import { useAddedSlot } from '../changes/use-slots.ts'
import { useConsole } from '../console.tsx'
import { openSet } from '../set-link.tsx'
import { byText } from '../terms-text.ts'
import type { AddedSetItem, ProcedureItem } from '../types.ts'
import {
  type AddedDraft,
  blankDraft,
  choicesOf,
  countsTogether,
  isValidName,
  parseAddedDraft,
  parseBy,
  parseNetworks,
  toAddedDraft,
} from './added-draft.ts'
import { Editor, EntryForm, type Frame, useSaving } from './entry-form.tsx'

/** A dialog to add a rule set to a procedure or route, or to change a known one. */
export default function AddedEditor({ known, onClose }: { known: AddedSetItem | null; onClose: () => void }) {
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
  const onSaved = () => {
    frame.onSaved()
    // Nobody calls it yet, so that it would be among the last.
    if (!shown) openSet(draft.name)
  }
  const saving = useSaving<AddedSetItem>({ ...frame, onSaved })
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

interface PlaceProps {
  draft: AddedDraft
  procedures: readonly ProcedureItem[]
  /** The name and the procedure of a set stay as they are. */
  isNew: boolean
  onChange: (part: Partial<AddedDraft>) => void
  isChecked: boolean
}

/** Where a rule set is added, its name and what it counts. */
function PlaceFields({ draft, procedures, isNew, onChange, isChecked }: PlaceProps) {
  const t = useTranslations('adminAdded')
  const tLimits = useTranslations('adminLimits')
  const choices = choicesOf(procedures.find(({ path }) => path === draft.procedure)?.arguments ?? [])
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {isNew && <NewSet {...{ draft, procedures, onChange, isChecked }} />}
      <div className="sm:col-span-2">
        <Select
          label={t('counts')}
          value={choices.includes(draft.by) ? draft.by : 'subject'}
          options={choices.map((value) => ({ value, label: byText(tLimits, parseBy(value)) }))}
          onChange={(by) => onChange({ by })}
        />
      </div>
      {countsTogether(draft) && (
        <Field
          label={t('networks')}
          hint={t('networksHint')}
          inputMode="numeric"
          value={draft.networks}
          onChange={(networks) => onChange({ networks: networks.trim() })}
          error={isChecked && parseNetworks(draft) === null ? t('networksProblem') : null}
          isVerbatim
        />
      )}
    </div>
  )
}

/** The procedure and the name, which stay as they are. */
function NewSet({ draft, procedures, onChange, isChecked }: Omit<PlaceProps, 'isNew'>) {
  const t = useTranslations('adminAdded')
  const tOverrides = useTranslations('adminOverrides')
  return (
    <>
      <Select
        label={tOverrides('procedure')}
        value={draft.procedure}
        options={procedures.map(({ path }) => ({ value: path, label: path }))}
        onChange={(procedure) => onChange({ procedure, by: draft.by.includes('/') ? 'subject' : draft.by })}
      />
      <Field
        label={t('name')}
        hint={t('nameHint')}
        value={draft.name}
        onChange={(name) => onChange({ name: name.trim() })}
        error={isChecked && !isValidName(draft.name) ? t('nameProblem') : null}
        maxLength={64}
        isVerbatim
      />
    </>
  )
}
