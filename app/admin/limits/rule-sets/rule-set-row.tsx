'use client'

import { ChevronRight } from 'lucide-react'
import { memo, useId } from 'react'
import { useTranslations } from 'use-intl/react'
import { ruleSetTitle } from '#app/limits/rule-set-title.ts'
import { PlainButton } from '#app/ui/button.tsx'
import { late } from '#app/ui/late.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { countDecisions, type Figures, figureTexts, type SetFigures } from '../live/figures.ts'
import { overrideForAll, rulesForAll, termsUnder } from '../places.ts'
import { openSet, setId } from '../set-link.tsx'
import { byText } from '../terms-text.ts'
import type { RuleSetItem } from '../types.ts'

const RuleSetDetail = late(() => import('./rule-set-detail.tsx'))

interface Props {
  set: RuleSetItem
  figures: SetFigures
  isOpen: boolean
}

/** One rule set: its key, its rules and its figures for the last minute. Expands to its details. Of hundreds, only the busy ones are
 *  rendered each second. */
export const RuleSetRow = memo(function RuleSetRow({ set, figures, isOpen }: Props) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const id = useId()
  return (
    <li id={setId(set.name)} className="scroll-mt-34 scroll-mb-24 max-sm:scroll-mt-44">
      <div className="relative grid grid-cols-[1.25rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 px-3 py-2.5 hover:bg-hover/50 sm:px-4 md:grid-cols-[1.25rem_13rem_minmax(0,1fr)_max-content]">
        <ChevronRight
          size={17}
          aria-hidden="true"
          className={`self-center text-ink-soft transition-transform max-md:row-span-3 max-md:self-start max-md:mt-0.5 ${isOpen ? 'rotate-90' : ''}`}
        />
        <h3 className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <PlainButton
            aria-expanded={isOpen}
            {...(isOpen && { 'aria-controls': `${id}-detail` })}
            aria-describedby={`${id}-words`}
            onPress={() => openSet(isOpen ? '' : set.name)}
            className="rounded-sm text-left font-medium break-all after:absolute after:inset-0"
          >
            {set.name}
          </PlainButton>
          <Tags set={set} />
        </h3>
        <p id={`${id}-words`} className="figures text-sm max-md:col-start-2">
          {format.parts(rulesForAll(set).map(({ parts }) => format.rule(parts)))}
          <span className="block text-ink-soft">{byText(t, set.by)}</span>
        </p>
        <Amounts figures={figures.total} />
      </div>
      {isOpen && (
        <div id={`${id}-detail`}>
          <RuleSetDetail set={set} figures={figures} />
        </div>
      )}
    </li>
  )
})

/** What was changed of the set, and its title. */
function Tags({ set }: { set: RuleSetItem }) {
  const t = useTranslations('adminLimits')
  const title = ruleSetTitle(set.name, useTranslations('ruleSets'))
  const general = overrideForAll(set)
  const { mode } = termsUnder(set.declared, general)
  return (
    <>
      {set.overrides.length > 0 && <Tag tone="water">{general ? t('overridden') : t('overriddenForSome')}</Tag>}
      {set.overrides.some(({ problem }) => problem) && <Tag tone="danger">{t('notInEffect')}</Tag>}
      {set.trial && <Tag tone="plain">{t('inTrial')}</Tag>}
      {mode !== 'enforce' && <Tag tone="gate">{t(`modeName.${mode}`)}</Tag>}
      {title !== set.name && <span className="w-full text-sm font-normal text-ink-soft">{title}</span>}
    </>
  )
}

/** The last minute: allowed and refused calls, with rarer outcomes below. */
function Amounts({ figures }: { figures: Figures }) {
  const t = useTranslations('adminLimits')
  const [passed, ...rare] = figureTexts(t, { ...figures, refused: 0 })
  if (countDecisions(figures) === 0) return <p className="text-sm text-ink-soft max-md:hidden">{t('idle')}</p>
  return (
    <p className="figures text-sm text-ink-soft max-md:col-start-2 md:text-right">
      <span className={figures.passed > 0 ? 'text-ink' : ''}>{passed}</span>
      {figures.refused > 0 && (
        <span className="font-medium text-gate"> · {t('figure.refused', { count: figures.refused })}</span>
      )}
      {rare.map((text) => (
        <span key={text} className="max-md:before:content-['_·_'] md:block">
          {text}
        </span>
      ))}
    </p>
  )
}
