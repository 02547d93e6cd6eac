'use client'

import { type FocusEvent, useRef, useState } from 'react'

/** The rows of a list by their keys, in the order shown. */
type Rows<T> = ReadonlyMap<string, T>

/** Keeps every row where it is: what is new comes last, and what is gone stays as it was. */
export const keepPlaces = <T>(kept: Rows<T>, now: Rows<T>): Rows<T> => new Map([...kept, ...now])

/** Rows that stay where they are while the pointer or the keyboard's focus is in their list, so that a click hits what it was meant
 *  for. Another `view` of them, such as a search, is shown at once. Spread `handlers` on the list. */
export function useHeldRows<T>(now: Rows<T>, { view = '', isHeld: isAlwaysHeld = false } = {}) {
  const [isHeld, setHeld] = useState(false)
  const [kept, setKept] = useState({ view, rows: now })
  const rows = (isHeld || isAlwaysHeld) && kept.view === view ? keepPlaces(kept.rows, now) : now
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
