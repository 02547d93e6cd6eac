'use client'

import { Dices } from 'lucide-react'
import { suggestPassword } from '#app/account/credentials.ts'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Field } from '#app/ui/field.tsx'

interface Props {
  value: string
  onChange: (value: string) => void
  error: string | null
  autoFocus?: boolean
}

/** A password for somebody else: shown, because it is to be handed on, and easily made up. */
export function NewPasswordField({ value, onChange, error, autoFocus = false }: Props) {
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Password"
        hint="At least 10 characters. It is shown here only, so hand it over safely."
        error={error}
        value={value}
        onChange={onChange}
        autoComplete="off"
        isVerbatim
        isRequired
        autoFocus={autoFocus}
      />
      <div className="flex gap-2">
        <Button size="small" onPress={() => onChange(suggestPassword())}>
          <Dices size={16} /> Generate
        </Button>
        {value && <CopyButton text={value} label="Copy the password" word="Copy" />}
      </div>
    </div>
  )
}
