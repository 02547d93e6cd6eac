'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import { FirstFew } from '#app/ui/first-few.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { type figuresBySet, NO_SET_FIGURES } from '../live/figures.ts'
import type { OverrideTarget, RuleSetItem } from '../types.ts'
import { RuleSetRow } from './rule-set-row.tsx'
import { arrange, keepOrder, type SetOrder, type SetView } from './set-order.ts'
import { replaceHash, useHash } from './use-hash.ts'

const orders = [
  { value: 'activity', label: 'Busiest' },
  { value: 'name', label: 'Name' },
] as const satisfies readonly { value: SetOrder; label: string }[]

/** As many as there is something to see of at most times. */
const FEW = 10

interface Props {
  search: string
  onSearch: (search: string) => void
  sets: readonly RuleSetItem[]
  figures: ReturnType<typeof figuresBySet>
  /** Null for those who may only look. */
  onEdit: ((set: RuleSetItem, target?: OverrideTarget) => void) | null
}

/** Every rule set, to open; which one is open stands in the address. */
export function RuleSets({ search, onSearch, sets, figures, onEdit }: Props) {
  const [{ order, onlyOverridden }, setChoice] = useState<Omit<SetView, 'search'>>({
    order: 'activity',
    onlyOverridden: false,
  })
  const view = { search, order, onlyOverridden }
  const hash = useHash()
  const open = sets.find(({ name }) => `set-${name}` === hash)?.name ?? ''
  const list = useRef<HTMLUListElement>(null)
  const [isHeld, setHeld] = useState(false)
  const shown = useStanding(arrange(sets, figures, view), isHeld || open !== '', JSON.stringify(view))
  const isShown = shown.some(({ name }) => name === open)
  const unhide = useEffectEvent(() => {
    if (isShown) return
    onSearch('')
    setChoice({ order, onlyOverridden: false })
  })
  // Whoever follows a link to a rule set finds it, whatever was searched for before.
  useEffect(() => {
    if (open !== '') unhide()
  }, [open])
  useEffect(() => {
    if (isShown) document.getElementById(`set-${open}`)?.scrollIntoView({ block: 'nearest' })
  }, [open, isShown])
  const choices = (
    <div className="flex flex-wrap items-center gap-2">
      <Segments
        label="Order"
        value={order}
        options={orders}
        onChange={(chosen) => setChoice({ order: chosen, onlyOverridden })}
      />
      <ToggleButton
        isSelected={onlyOverridden}
        onChange={(isChosen) => setChoice({ order, onlyOverridden: isChosen })}
        className="h-9 rounded-md border border-line bg-surface px-3 text-sm font-medium text-ink-soft hover:text-ink selected:border-water selected:bg-water-soft selected:text-water"
      >
        Overridden only
      </ToggleButton>
    </div>
  )
  return (
    <Fold
      title="Rule sets"
      amount={shown.length}
      isOpenAtFirst
      isForcedOpen={search !== '' || open !== ''}
      beside={choices}
    >
      {shown.length === 0 && <p className="py-10 text-center text-ink-soft">{nothingWords(view)}</p>}
      <FirstFew
        items={shown}
        few={FEW}
        isWhole={search.trim() !== '' || shown.findIndex(({ name }) => name === open) >= FEW}
      >
        {(few) => (
          <ul
            ref={list}
            aria-label="Rule sets"
            onPointerEnter={() => setHeld(true)}
            onPointerLeave={() => setHeld(false)}
            onFocus={() => setHeld(true)}
            onBlur={() => setHeld(list.current?.matches(':hover') ?? false)}
            className="divide-y divide-line overflow-clip rounded-lg border border-line bg-surface empty:hidden"
          >
            {few.map((set) => (
              <RuleSetRow
                key={set.name}
                set={set}
                figures={figures.get(set.name) ?? NO_SET_FIGURES}
                isOpen={set.name === open}
                onToggle={() => replaceHash(set.name === open ? '' : `set-${set.name}`)}
                onEdit={onEdit && ((target) => onEdit(set, target))}
              />
            ))}
          </ul>
        )}
      </FirstFew>
    </Fold>
  )
}

/** Lines that are pointed at, or open, do not move away under the hand; a new search or order sorts anew. */
function useStanding(sets: readonly RuleSetItem[], isHeld: boolean, view: string): readonly RuleSetItem[] {
  const [standing, setStanding] = useState<{ view: string; names: readonly string[] } | null>(null)
  const names = sets.map(({ name }) => name)
  const isKept = isHeld && standing !== null && standing.view === view && standing.names.length > 0
  const isSame = standing?.view === view && standing.names.join() === names.join()
  if (!isKept && !isSame) setStanding({ view, names })
  return isKept ? keepOrder(standing.names, sets) : sets
}

function nothingWords({ search, onlyOverridden }: SetView): string {
  if (search.trim() === '')
    return onlyOverridden ? 'Nothing is overridden: every limit is as its code declares it.' : ''
  return `No ${onlyOverridden ? 'overridden ' : ''}rule set, procedure or route is called “${search.trim()}”.`
}
