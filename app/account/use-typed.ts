'use client'

import { useState } from 'react'

/** The state of a text field of a named form. Starts with what was typed or autofilled before the page's script had loaded. */
export function useTyped(form: string, field: string) {
  return useState(() => typedSoFar(form, field))
}

function typedSoFar(form: string, field: string): string {
  if (typeof document === 'undefined') return ''
  const element = document.forms.namedItem(form)?.elements.namedItem(field)
  return element instanceof HTMLInputElement ? element.value : ''
}
