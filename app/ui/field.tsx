'use client'

import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { FieldError, Input, Label, Text, TextField, type TextFieldProps } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { IconButton } from './icon-button.tsx'
import { inputClass } from './input-class.ts'

const verbatim = { autoCapitalize: 'none', spellCheck: false } as const

interface Props extends TextFieldProps {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  placeholder?: string
  /** For names and codes: no automatic capitals, no spell checking. */
  isVerbatim?: boolean
  ref?: Ref<HTMLDivElement>
}

/** A labelled text field with a hint below it, replaced by the error if there is one. */
export function Field({ label, hint, error, placeholder, isVerbatim = false, ...props }: Props) {
  return (
    <TextField {...props} isInvalid={Boolean(error)} validationBehavior="aria" className="flex flex-col gap-1.5">
      <FieldLabel>{label}</FieldLabel>
      <Input className={inputClass} placeholder={placeholder} {...(isVerbatim ? verbatim : {})} />
      <FieldNotes hint={hint} error={error} />
    </TextField>
  )
}

/** A password field with a button that shows the password. */
export function PasswordField({ label, hint, error, ...props }: Omit<Props, 'type' | 'placeholder' | 'isVerbatim'>) {
  const t = useTranslations('ui')
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className="flex flex-col gap-1.5"
    >
      <FieldLabel>{label}</FieldLabel>
      <div className="relative">
        <Input className={`${inputClass} pr-11`} {...verbatim} />
        <IconButton
          tone="bare"
          label={shown ? t('hidePassword') : t('showPassword')}
          onPress={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-ink-soft hover:text-ink"
        >
          {shown ? <EyeOff size={18} /> : <Eye size={18} />}
        </IconButton>
      </div>
      <FieldNotes hint={hint} error={error} />
    </TextField>
  )
}

export function FieldLabel({ children }: { children: ReactNode }) {
  return <Label className="text-sm font-medium">{children}</Label>
}

export function FieldNotes({ hint, error }: { hint?: ReactNode; error?: string | null | undefined }) {
  if (error) return <FieldError className="text-sm text-danger">{error}</FieldError>
  if (!hint) return null
  return (
    <Text slot="description" className="text-sm text-ink-soft">
      {hint}
    </Text>
  )
}
