'use client'

import { type RefObject, useEffect, useRef } from 'react'

/** Returns the ref of a dialog's form, whose first field gets the focus, so that one can type at once. */
export function useFirstField(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('select, input:not([type=radio])')?.focus(), [])
  return form
}
