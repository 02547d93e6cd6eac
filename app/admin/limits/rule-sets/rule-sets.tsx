'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { ruleSetTitle } from '#app/limits/rule-set-title.ts'
import { PlainButton } from '#app/ui/button.tsx'
import { FirstFew } from '#app/ui/first-few.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { Segments } from '#app/ui/segments.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { type figuresBySet, NO_SET_FIGURES } from '../live/figures.ts'
import type { AddedSetItem, RuleSetItem, TrialStats } from '../types.ts'
import type { EditedPlace } from './rule-set-detail.tsx'
import { RuleSetRow } from './rule-set-row.tsx'
import { arrange, keepOrder, type SetOrder, type SetView } from './set-order.ts'
import { replaceHash, useHash } from './use-hash.ts'

/** About as many as are usually active. */
const FEW = 10

interface Props {
  search: string
  onSearch: (search: string) => void
  sets: readonly RuleSetItem[]
  added: readonly AddedSetItem[]
  onEditAdded: ((item: AddedSetItem) => void) | null
  figures: ReturnType<typeof figuresBySet>
  /** What rules in trial would have refused. */
  trials: readonly TrialStats[]
  /** Null for viewers who may not change limits. */
  onEdit: ((set: RuleSetItem, place?: EditedPlace) => void) | null
}

/** All rule sets; the URL's hash names the open one. */
export function RuleSets({ search, onSearch, sets, added, onEditAdded, figures, trials, onEdit }: Props) {
  const t = useTranslations('adminLimits')
  const [{ order, onlyOverridden }, setChoice] = useState<Pick<SetView, 'order' | 'onlyOverridden'>>({
    order: 'activity',
    onlyOverridden: false,
  })
  const titles = useTranslations('ruleSets')
  const view = { search, titleOf: (name: string) => ruleSetTitle(name, titles), order, onlyOverridden }
  const hash = useHash()
  const open = sets.find(({ name }) => `set-${name}` === hash)?.name ?? ''
  const list = useRef<HTMLUListElement>(null)
  const [isHeld, setHeld] = useState(false)
  const shown = useStableOrder(arrange(sets, figures, view), isHeld || open !== '', JSON.stringify(view))
  const isShown = shown.some(({ name }) => name === open)
  const unhide = useEffectEvent(() => {
    if (isShown) return
    onSearch('')
    setChoice({ order, onlyOverridden: false })
  })
  // A link to a rule set opens it even if the search hides it.
  useEffect(() => {
    if (open !== '') unhide()
  }, [open])
  useEffect(() => {
    if (isShown) document.getElementById(`set-${open}`)?.scrollIntoView({ block: 'nearest' })
  }, [open, isShown])
  const orders = [
    { value: 'activity', label: t('sortActivity') },
    { value: 'name', label: t('sortName') },
  ] as const satisfies readonly { value: SetOrder; label: string }[]
  const choices = (
    <div className="flex flex-wrap items-center gap-2">
      <Segments
        label={t('sortBy')}
        value={order}
        options={orders}
        onChange={(chosen) => setChoice({ order: chosen, onlyOverridden })}
      />
      <PlainButton
        aria-pressed={onlyOverridden}
        onPress={() => setChoice({ order, onlyOverridden: !onlyOverridden })}
        className="h-9 rounded-md border border-line bg-surface px-3 text-sm font-medium text-ink-soft hover:text-ink aria-pressed:border-water aria-pressed:bg-water-soft aria-pressed:text-water"
      >
        {t('overriddenOnly')}
      </PlainButton>
    </div>
  )
  return (
    <Fold
      title={t('ruleSets')}
      amount={shown.length}
      isOpenAtFirst
      isForcedOpen={search !== '' || open !== ''}
      beside={choices}
    >
      {shown.length === 0 && <p className="py-10 text-center text-ink-soft">{emptyText(t, view)}</p>}
      <FirstFew
        items={shown}
        few={FEW}
        isWhole={search.trim() !== '' || shown.findIndex(({ name }) => name === open) >= FEW}
      >
        {(few) => (
          <ul
            ref={list}
            aria-label={t('ruleSets')}
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
                added={added.find(({ name, problem }) => name === set.name && !problem) ?? null}
                onEditAdded={onEditAdded}
                figures={figures.get(set.name) ?? NO_SET_FIGURES}
                isOpen={set.name === open}
                onToggle={() => replaceHash(set.name === open ? '' : `set-${set.name}`)}
                trial={trials.find((each) => isOf(each, set)) ?? null}
                onEdit={onEdit && ((place) => onEdit(set, place))}
              />
            ))}
          </ul>
        )}
      </FirstFew>
    </Fold>
  )
}

/** Figures of an earlier version of a trial may still arrive. */
const isOf = ({ ruleSet, version }: TrialStats, { name, trial }: RuleSetItem): boolean =>
  ruleSet === name && version === trial?.changedAt

/** Rows under the pointer or open keep their place until the search or order changes. */
function useStableOrder(sets: readonly RuleSetItem[], isHeld: boolean, view: string): readonly RuleSetItem[] {
  const [kept, setKept] = useState<{ view: string; names: readonly string[] } | null>(null)
  const names = sets.map(({ name }) => name)
  const isKept = isHeld && kept !== null && kept.view === view && kept.names.length > 0
  const isSame = kept?.view === view && kept.names.join() === names.join()
  if (!isKept && !isSame) setKept({ view, names })
  return isKept ? keepOrder(kept.names, sets) : sets
}

function emptyText(t: Translate<'adminLimits'>, { search, onlyOverridden }: SetView): string {
  if (search.trim() === '') return onlyOverridden ? t('noOverrides') : ''
  return t(onlyOverridden ? 'noOverriddenMatch' : 'noMatch', { search: search.trim() })
}
