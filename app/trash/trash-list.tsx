'use client'

import { type FocusEvent, type KeyboardEvent, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import type { Selection } from '#app/gallery/selecting/use-selection.ts'
import { useViewport } from '#app/gallery/timeline/use-viewport.ts'
import { listRows } from './list-rows.ts'
import { TrashRow } from './trash-row.tsx'

/** Rem. */
const ROW_HEIGHT = 5.5

interface Props {
  items: readonly ImageItem[]
  selection: Selection
  onRestore: (item: ImageItem) => void
  onPurge: (item: ImageItem) => void
}

/** The trash as rows, because users look for a single image here, by its name and the days it has left. Only the rows near the window
 *  are in the page. */
export function TrashList({ items, selection, onRestore, onPurge }: Props) {
  const t = useTranslations('trash')
  const [list, setList] = useState<HTMLElement | null>(null)
  const [focused, setFocused] = useState<number | null>(null)
  const view = useViewport(list)
  const shown = useMemo(
    () => listRows({ view, height: ROW_HEIGHT * remSize(), amount: items.length, focused }),
    [view, items.length, focused],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'a' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    selection.selectAll()
  }
  return (
    <ul
      ref={setList}
      aria-label={t('listLabel')}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setFocused(rowAround(target))}
      onBlur={({ relatedTarget, currentTarget }: FocusEvent) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setFocused(null)
      }}
      className="relative [overflow-anchor:none]"
      style={{ height: `${ROW_HEIGHT * items.length}rem` }}
    >
      {shown.map((index) => {
        const item = items[index]
        if (!item) return null
        return (
          <li
            key={item.id}
            data-row={index}
            aria-posinset={index + 1}
            aria-setsize={items.length}
            className="absolute inset-x-0 flex items-center gap-2.5 border-line not-last:border-b sm:gap-4"
            style={{ top: `${ROW_HEIGHT * index}rem`, height: `${ROW_HEIGHT}rem` }}
          >
            <TrashRow
              item={item}
              isSelected={selection.has(item.id)}
              onToggle={() => selection.toggle(index)}
              onRestore={() => onRestore(item)}
              onPurge={() => onPurge(item)}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** In pixels. */
const remSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

function rowAround(element: Element): number | null {
  const row = element.closest<HTMLElement>('[data-row]')?.dataset.row
  return row === undefined ? null : Number(row)
}
