'use client'

import { Check, Minus } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'

interface Props {
  month: string
  /** Null while it is not known. */
  amount: number | null
  /** How many of its images are selected. */
  selected: number
  onToggle: (isSelected: boolean) => void
}

/** The name of a month, how many images it has, and a checkbox that selects them all. */
export function MonthHeading({ month, amount, selected, onToggle }: Props) {
  const t = useTranslations('gallery')
  const format = useFormat()
  const name = format.month(month)
  const isWhole = amount !== null && selected >= amount
  const Mark = isWhole ? Check : Minus
  return (
    <h2 className="group/month flex h-12 items-end gap-2 pb-2 text-[0.9375rem] leading-6">
      <span className="font-semibold">{name}</span>{' '}
      {amount !== null && <span className="figures text-sm text-ink-soft">{t('images', { count: amount })}</span>}
      {amount !== null && (
        <label
          className={`relative grid size-6 cursor-pointer place-items-center forced-color-adjust-none transition-opacity duration-100 group-hover/month:opacity-100 focus-within:opacity-100 in-data-selecting:opacity-100 ${selected > 0 ? '' : 'opacity-0 pointer-coarse:opacity-60'}`}
        >
          <input
            type="checkbox"
            aria-label={t('selectMonth', { month: name })}
            checked={isWhole}
            ref={(box) => {
              if (box) box.indeterminate = selected > 0 && !isWhole
            }}
            onChange={() => onToggle(!isWhole)}
            className="absolute inset-0.5 cursor-pointer appearance-none rounded-full border-2 border-line-strong checked:border-water checked:bg-water indeterminate:border-water indeterminate:bg-water"
          />
          {selected > 0 && <Mark size={13} strokeWidth={3} className="pointer-events-none relative text-on-water" />}
        </label>
      )}
    </h2>
  )
}
