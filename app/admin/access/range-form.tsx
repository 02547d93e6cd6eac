'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import type { Failure } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { type Range, useAccessActions } from './use-access-actions.ts'

interface Props {
  known: Range | null
  rules: readonly Range[]
  onSaved: () => void
}

/** Where a range is written. */
export function RangeForm({ known, rules, onSaved }: Props) {
  const [cidr, setCidr] = useState(known?.cidr ?? '')
  const [verdict, setVerdict] = useState<Range['verdict']>(known?.verdict ?? 'deny')
  const [note, setNote] = useState(known?.note ?? '')
  const { saveRange } = useAccessActions()
  const save = useMutation<void, Failure>({
    mutationFn: () => saveRange(cidr.trim(), { verdict, note: note.trim() || null }, rules),
    onSuccess: onSaved,
  })
  const isHeldBack = useHeldBack(save.error)
  return (
    <Form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Field
        label="Address or range"
        hint="Such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32"
        value={cidr}
        onChange={setCidr}
        isDisabled={known !== null}
        isRequired
        isVerbatim
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
      <FormFailure error={save.error} />
      <Button type="submit" tone="primary" isPending={save.isPending} isDisabled={isHeldBack || cidr.trim() === ''}>
        Save
      </Button>
    </Form>
  )
}
