'use client'

import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

interface Props<T> {
  items: readonly T[]
  few: number
  /** Shows all, as long as it holds. */
  isWhole?: boolean
  children: (items: readonly T[]) => ReactNode
}

/** The first few of a list, and below them a button for all the others. */
export function FirstFew<T>({ items, few, isWhole = false, children }: Props<T>) {
  const [wantsAll, setWantsAll] = useState(false)
  const isCut = items.length > few && !isWhole
  return (
    <>
      {children(isCut && !wantsAll ? items.slice(0, few) : items)}
      {isCut && (
        <Button size="small" aria-expanded={wantsAll} className="mt-3" onPress={() => setWantsAll(!wantsAll)}>
          {wantsAll ? `Show the first ${few}` : `Show all ${items.length}`}
        </Button>
      )}
    </>
  )
}
