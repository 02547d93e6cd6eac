'use client'

import { Download } from 'lucide-react'
import type { LastPost } from '#app/entry/failure-cookie.ts'
import { useEntryForm } from '#app/entry/use-entry-form.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'

interface Props {
  label: string
  fields: Readonly<Record<string, string>>
  last: LastPost | null
}

/** Downloads images of an album as a zip, also without script. A refusal disables the button and shows a countdown below it. */
export function ZipForm({ label, fields, last }: Props) {
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null, stays: true })
  return (
    <form action="/api/auth/form/zip" method="post" onSubmit={submit} className="mt-2 flex flex-col items-start gap-2">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" size="small" isPending={isBusy} isDisabled={isHeldBack}>
        <Download size={16} /> {label}
      </Button>
      <FormFailure error={error} />
    </form>
  )
}
