'use client'

import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from './button.tsx'

interface Props<T> {
  items: readonly T[]
  few: number
  /** Shows all items. */
  isWhole?: boolean
  children: (items: readonly T[]) => ReactNode
}

/** The first items of a list and a button that shows the rest. */
export function FirstFew<T>({ items, few, isWhole = false, children }: Props<T>) {
  const t = useTranslations('ui')
  const [wantsAll, setWantsAll] = useState(false)
  const isCut = items.length > few && !isWhole
  return (
    <>
      {children(isCut && !wantsAll ? items.slice(0, few) : items)}
      {isCut && (
        <Button size="small" aria-expanded={wantsAll} className="mt-3" onPress={() => setWantsAll(!wantsAll)}>
          {wantsAll ? t('showFirst', { count: few }) : t('showAll', { count: items.length })}
        </Button>
      )}
    </>
  )
}
