'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import { Search } from '#app/ui/search.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { type figuresBySet, NO_SET_FIGURES } from './figures.ts'
import { RuleSetRow } from './rule-set-row.tsx'
import { arrange, keepOrder, type SetOrder, type SetView } from './set-order.ts'
import type { OverrideTarget, RuleSetItem } from './types.ts'
import { replaceHash, useHash } from './use-hash.ts'

const orders = [
  { value: 'activity', label: 'Busiest' },
  { value: 'name', label: 'Name' },
] as const satisfies readonly { value: SetOrder; label: string }[]

interface Props {
  sets: readonly RuleSetItem[]
  figures: ReturnType<typeof figuresBySet>
  /** Null for those who may only look. */
  onEdit: ((set: RuleSetItem, target?: OverrideTarget) => void) | null
}

/** Every rule set, to search and to open; which one is open stands in the address. */
export function RuleSets({ sets, figures, onEdit }: Props) {
  const [view, setView] = useState<SetView>({ search: '', order: 'activity', onlyOverridden: false })
  const hash = useHash()
  const open = sets.find(({ name }) => `set-${name}` === hash)?.name ?? ''
  const list = useRef<HTMLUListElement>(null)
  const [isHeld, setHeld] = useState(false)
  const shown = useStanding(arrange(sets, figures, view), isHeld || open !== '', JSON.stringify(view))
  const isShown = shown.some(({ name }) => name === open)
  const unhide = useEffectEvent(() => {
    if (!isShown) setView({ ...view, search: '', onlyOverridden: false })
  })
  // Whoever follows a link to a rule set finds it, whatever was searched for before.
  useEffect(() => {
    if (open !== '') unhide()
  }, [open])
  useEffect(() => {
    if (isShown) document.getElementById(`set-${open}`)?.scrollIntoView({ block: 'nearest' })
  }, [open, isShown])
  return (
    <section aria-labelledby="rule-sets" className="mt-10">
      <h2 id="rule-sets" className="mb-3 text-lg font-semibold">
        Rule sets
      </h2>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Search
          label="Filter rule sets"
          placeholder="Name, procedure or route"
          value={view.search}
          onChange={(search) => setView({ ...view, search })}
          className="min-w-56 flex-1"
        />
        <Segments label="Order" value={view.order} options={orders} onChange={(order) => setView({ ...view, order })} />
        <ToggleButton
          isSelected={view.onlyOverridden}
          onChange={(onlyOverridden) => setView({ ...view, onlyOverridden })}
          className="h-9 rounded-md border border-line bg-surface px-3 text-sm font-medium text-ink-soft hover:text-ink selected:border-water selected:bg-water-soft selected:text-water"
        >
          Overridden only
        </ToggleButton>
      </div>
      {shown.length === 0 && <p className="py-10 text-center text-ink-soft">{nothingWords(view)}</p>}
      <ul
        ref={list}
        aria-label="Rule sets"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(list.current?.matches(':hover') ?? false)}
        className="divide-y divide-line overflow-clip rounded-lg border border-line bg-surface empty:hidden"
      >
        {shown.map((set) => (
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
    </section>
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
