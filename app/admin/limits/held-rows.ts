'use client'

import { type FocusEvent, useRef, useState } from 'react'

/** Rows by their keys, which stay where they are while the pointer or the keyboard's focus is in their list, so that a click hits what
 *  it was meant for: what is new comes last, and what is gone stays as it was. Another `view` of them, such as a search, is shown at
 *  once. Spread `handlers` on the list. */
export function useHeldRows<T>(now: ReadonlyMap<string, T>, { view = '', isHeld: isAlwaysHeld = false } = {}) {
  const [isHeld, setHeld] = useState(false)
  const [kept, setKept] = useState({ view, rows: now })
  const rows = (isHeld || isAlwaysHeld) && kept.view === view ? new Map([...kept.rows, ...now]) : now
  if (kept.view !== view || [...kept.rows.keys()].join() !== [...rows.keys()].join()) setKept({ view, rows })
  const list = useRef<HTMLUListElement & HTMLOListElement>(null)
  const holdIf = (selector: string) => setHeld(list.current?.matches(selector) ?? false)
  const handlers = {
    ref: list,
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => holdIf(':has(:focus-visible)'),
    // A menu of a row is in the list for React alone.
    onFocus: ({ target }: FocusEvent) => target.matches(':focus-visible') && setHeld(true),
    onBlur: ({ relatedTarget }: FocusEvent) => !list.current?.contains(relatedTarget) && holdIf(':hover'),
  }
  return { rows, handlers }
}
