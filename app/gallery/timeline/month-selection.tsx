'use client'

import { useMemo } from 'react'
import type { Selection } from '../selecting/use-selection.ts'
import type { ShownMonth } from './list-months.ts'
import { MonthHeading } from './month-heading.tsx'
import { type DateKind, monthFor } from './timeline.ts'

interface Props {
  month: ShownMonth
  selection: Selection
  by: DateKind
  /** False while only the beginning of the list is known. */
  isCounted: boolean
}

/** The heading of a month, which selects its images: those that are not loaded, too. */
export function MonthSelection({ month: { month, first, amount }, selection, by, isCounted }: Props) {
  const { selected } = selection
  const own = useMemo(() => selected.filter((item) => monthFor(item, by, 'local') === month), [selected, by, month])
  if (month === null) return null
  return (
    <MonthHeading
      month={month}
      amount={isCounted ? amount : null}
      selected={own.length}
      onToggle={(isOn) =>
        isOn ? selection.addRange(first, first + amount - 1) : selection.remove(own.map(({ id }) => id))
      }
    />
  )
}
