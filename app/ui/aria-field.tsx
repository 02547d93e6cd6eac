'use client'

import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'

/** The label of a field of React Aria. */
export function FieldLabel({ children }: { children: ReactNode }) {
  return <Label className="text-sm font-medium">{children}</Label>
}

/** The hint of a field of React Aria, replaced by the error if there is one. */
export function FieldNotes({ hint, error }: { hint?: ReactNode; error?: string | null | undefined }) {
  if (error) return <FieldError className="text-sm text-danger">{error}</FieldError>
  if (!hint) return null
  return (
    <Text slot="description" className="text-sm text-ink-soft">
      {hint}
    </Text>
  )
}
