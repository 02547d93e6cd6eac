'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { useSeen } from '#app/admin/use-seen.ts'
import { Field } from '#app/ui/field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { type Range, useAccessActions } from './use-access-actions.ts'

interface Props {
  known: Range | null
  rules: readonly Range[]
  onClose: () => void
}

/** The form of one rule. */
export function RangeForm({ known, rules, onClose }: Props) {
  const t = useTranslations('adminAccess')
  const [cidr, setCidr] = useState(known?.cidr ?? '')
  const [verdict, setVerdict] = useState<Range['verdict']>(known?.verdict ?? 'deny')
  const [note, setNote] = useState(known?.note ?? '')
  const { saveRange } = useAccessActions()
  const withSeen = useSeen(known)
  const save = () =>
    withSeen((seen) =>
      saveRange(cidr.trim(), { verdict, note: note.trim() || null }, rules, matchSeen(seen, cidr.trim())),
    )
  return (
    <SettingsForm save={save} onClose={onClose} isDisabled={cidr.trim() === ''}>
      <Field
        label={t('cidr')}
        hint={t('cidrHint')}
        value={cidr}
        onChange={setCidr}
        isDisabled={known !== null}
        isRequired
        isVerbatim
        autoFocus={known === null}
      />
      <Segments
        label={t('verdict')}
        value={verdict}
        onChange={setVerdict}
        options={[
          { value: 'deny', label: t('block') },
          { value: 'allow', label: t('allow') },
        ]}
      />
      <Field label={t('note')} hint={t('noteHint')} value={note} onChange={setNote} maxLength={500} />
    </SettingsForm>
  )
}

/** A reported conflict counts only for the range that it was about. */
const matchSeen = (seen: Range | null, cidr: string): Range | null => (seen?.cidr === cidr ? seen : null)
