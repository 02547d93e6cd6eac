'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { ruleSetTitle } from '#app/limits/rule-set-title.ts'
import { PlainButton } from '#app/ui/button.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { FirstFew } from '#app/ui/first-few.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { Segments } from '#app/ui/segments.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useConsole } from '../console.tsx'
import { useHeldRows } from '../held-rows.ts'
import { figuresBySet, NO_SET_FIGURES } from '../live/figures.ts'
import { setId, useOpenSet } from '../set-link.tsx'
import { Transfer } from '../transfer/transfer.tsx'
import { RuleSetRow } from './rule-set-row.tsx'
import { arrange, type SetView } from './set-order.ts'

/** About as many as are usually active. */
const FEW = 10

type Choice = Pick<SetView, 'order' | 'onlyOverridden'>

const EVERYTHING: Choice = { order: 'activity', onlyOverridden: false }

/** All rule sets; the URL's hash names the open one. */
export function RuleSets({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const t = useTranslations('adminLimits')
  const { list, stats, mayChange } = useConsole()
  const [choice, setChoice] = useState(EVERYTHING)
  const titles = useTranslations('ruleSets')
  const view = { search, titleOf: (name: string) => ruleSetTitle(name, titles), ...choice }
  const named = useOpenSet()
  const open = list.ruleSets.find(({ name }) => name === named)?.name ?? ''
  const figures = figuresBySet(stats?.rows ?? [])
  const arranged = new Map(arrange(list.ruleSets, figures, view).map((set) => [set.name, set]))
  const { rows, handlers } = useHeldRows(arranged, { view: JSON.stringify(view), isHeld: open !== '' })
  const shown = [...rows.keys()].flatMap((name) => list.ruleSets.find((set) => set.name === name) ?? [])
  const place = shown.findIndex(({ name }) => name === open)
  useOpenInView(open, place >= 0, () => {
    onSearch('')
    setChoice({ ...choice, onlyOverridden: false })
  })
  return (
    <Fold
      title={t('ruleSets')}
      amount={shown.length}
      isOpenAtFirst
      isForcedOpen={search !== '' || open !== ''}
      beside={
        <>
          {mayChange && <Transfer />}
          <Choices choice={choice} onChange={setChoice} />
        </>
      }
    >
      {shown.length === 0 && <EmptyList>{emptyText(t, view)}</EmptyList>}
      <FirstFew items={shown} few={FEW} isWhole={search.trim() !== '' || place >= FEW}>
        {(few) => (
          <ul aria-label={t('ruleSets')} {...handlers} className={listClass}>
            {few.map((set) => (
              <RuleSetRow
                key={set.name}
                set={set}
                figures={figures.get(set.name) ?? NO_SET_FIGURES}
                isOpen={set.name === open}
              />
            ))}
          </ul>
        )}
      </FirstFew>
    </Fold>
  )
}

const listClass = 'divide-y divide-line overflow-clip rounded-lg border border-line bg-surface empty:hidden'

function Choices({ choice, onChange }: { choice: Choice; onChange: (choice: Choice) => void }) {
  const t = useTranslations('adminLimits')
  const { order, onlyOverridden } = choice
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segments<Choice['order']>
        label={t('sortBy')}
        value={order}
        options={[
          { value: 'activity', label: t('sortActivity') },
          { value: 'name', label: t('sortName') },
        ]}
        onChange={(chosen) => onChange({ ...choice, order: chosen })}
      />
      <PlainButton
        aria-pressed={onlyOverridden}
        onPress={() => onChange({ ...choice, onlyOverridden: !onlyOverridden })}
        className="h-9 rounded-md border border-line bg-surface px-3 text-sm font-medium text-ink-soft hover:text-ink aria-pressed:border-water aria-pressed:bg-water-soft aria-pressed:text-water"
      >
        {t('overriddenOnly')}
      </PlainButton>
    </div>
  )
}

/** A link to a rule set opens it even if the search hides it, and brings it into view. */
function useOpenInView(open: string, isShown: boolean, onHidden: () => void): void {
  const unhide = useEffectEvent(() => {
    if (!isShown) onHidden()
  })
  useEffect(() => {
    if (open !== '') unhide()
  }, [open])
  useEffect(() => {
    if (isShown) document.getElementById(setId(open))?.scrollIntoView({ block: 'nearest' })
  }, [open, isShown])
}

function emptyText(t: Translate<'adminLimits'>, { search, onlyOverridden }: SetView): string {
  if (search.trim() === '') return t(onlyOverridden ? 'noOverrides' : 'noSets')
  return t(onlyOverridden ? 'noOverriddenMatch' : 'noMatch', { search: search.trim() })
}
