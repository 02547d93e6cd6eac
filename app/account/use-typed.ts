'use client'

import { useState } from 'react'

/** The text of a field of a named form. It begins with what was typed, or filled in by the browser, before the page's script came. */
export function useTyped(form: string, field: string) {
  return useState(() => typedSoFar(form, field))
}

function typedSoFar(form: string, field: string): string {
  if (typeof document === 'undefined') return ''
  const element = document.forms.namedItem(form)?.elements.namedItem(field)
  return element instanceof HTMLInputElement ? element.value : ''
}
