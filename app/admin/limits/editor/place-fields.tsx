'use client'

import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import { byText } from '../terms-text.ts'
import type { ProcedureItem } from '../types.ts'
import { type AddedDraft, choicesOf, countsTogether, isValidName, parseBy, parseNetworks } from './added-draft.ts'

interface Props {
  draft: AddedDraft
  procedures: readonly ProcedureItem[]
  /** The name and the procedure of a set stay as they are. */
  isNew: boolean
  onChange: (part: Partial<AddedDraft>) => void
  isChecked: boolean
}

/** Where a rule set is added, its name and what it counts. */
export function PlaceFields({ draft, procedures, isNew, onChange, isChecked }: Props) {
  const t = useTranslations('adminAdded')
  const tLimits = useTranslations('adminLimits')
  const choices = choicesOf(procedures.find(({ path }) => path === draft.procedure)?.arguments ?? [])
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {isNew && <NewSet {...{ draft, procedures, onChange, isChecked }} />}
      <Select
        label={t('counts')}
        value={choices.includes(draft.by) ? draft.by : 'subject'}
        options={choices.map((value) => ({ value, label: byText(tLimits, parseBy(value)) }))}
        onChange={(by) => onChange({ by })}
      />
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
function NewSet({ draft, procedures, onChange, isChecked }: Omit<Props, 'isNew'>) {
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
