'use client'

import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The latest of `value` in a holder that stays the same: whoever is given it is not rendered anew when the value changes. For events alone. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
