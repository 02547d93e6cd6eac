'use client'

import { useState } from 'react'
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

/** Where a range is written. */
export function RangeForm({ known, rules, onClose }: Props) {
  const [cidr, setCidr] = useState(known?.cidr ?? '')
  const [verdict, setVerdict] = useState<Range['verdict']>(known?.verdict ?? 'deny')
  const [note, setNote] = useState(known?.note ?? '')
  const { saveRange } = useAccessActions()
  const withSeen = useSeen(known)
  const save = () =>
    withSeen((seen) => saveRange(cidr.trim(), { verdict, note: note.trim() || null }, rules, seenOf(seen, cidr.trim())))
  return (
    <SettingsForm save={save} onClose={onClose} isDisabled={cidr.trim() === ''}>
      <Field
        label="Address or range"
        hint="Such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32"
        value={cidr}
        onChange={setCidr}
        isDisabled={known !== null}
        isRequired
        isVerbatim
        autoFocus={known === null}
      />
      <Segments
        label="What holds of it"
        value={verdict}
        onChange={setVerdict}
        options={[
          { value: 'deny', label: 'Shut out' },
          { value: 'allow', label: 'Let in' },
        ]}
      />
      <Field label="Note" hint="Why, for whoever reads this later" value={note} onChange={setNote} maxLength={500} />
    </SettingsForm>
  )
}

/** Who has typed another range since is told of that one anew. */
const seenOf = (seen: Range | null, cidr: string): Range | null => (seen?.cidr === cidr ? seen : null)
