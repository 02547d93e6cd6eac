import { useTranslations } from 'use-intl/react'
import type { Outputs } from '#app/connection/trpc.ts'
import { useFormat } from '#app/ui/use-format.ts'

/** Oldest first. */
export type ReadDays = Outputs['image']['usage']['days']

const HEIGHT = 100
const STEP = 20
const BAR = 14

/** A bar for each day; even the smallest amount stays visible. The table has the figures for those who do not see it. */
export function ReadsChart({ days }: { days: ReadDays }) {
  const t = useTranslations('image')
  const format = useFormat()
  const peak = Math.max(1, ...days.map(({ reads }) => reads))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className="flex flex-col gap-1">
      <svg
        role="img"
        aria-label={t('readsChart', { count: peak })}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-24 w-full border-b border-line-strong"
      >
        {days.map(({ day, reads, sent }, at) => {
          const height = reads === 0 ? 0 : Math.max(2, (HEIGHT * reads) / peak)
          return (
            <g key={day}>
              <rect x={at * STEP} width={STEP} height={HEIGHT} className="fill-transparent hover:fill-sunken">
                <title>{t('readsOfDay', { day: format.day(day), count: reads, size: format.bytes(sent) })}</title>
              </rect>
              <rect
                x={at * STEP + (STEP - BAR) / 2}
                y={HEIGHT - height}
                width={BAR}
                height={height}
                className="pointer-events-none fill-water"
              />
            </g>
          )
        })}
      </svg>
      <figcaption className="figures flex justify-between text-xs text-ink-soft">
        <span>{first && format.day(first.day)}</span>
        <span>{t('readsPeak', { count: peak })}</span>
        <span>{last && format.day(last.day)}</span>
      </figcaption>
    </figure>
  )
}
