import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import { daysIn } from '#format/dates.ts'
import { findPeak, type Series, totalAt } from './month-days.ts'

interface Props {
  /** `YYYY-MM` */
  month: string
  /** `YYYY-MM-DD`, in UTC. */
  today: string
  series: readonly Series[]
  formatAmount: (amount: number) => string
  /** Whether the amounts are levels, which do not add up over days. */
  isLevel?: boolean
}

const HEIGHT = 120
const STEP = 20
const BAR = 14
const fills = { water: 'fill-water', gate: 'fill-gate', steel: 'fill-line-strong' } satisfies Record<
  Series['tone'],
  string
>
const tones = { water: 'bg-water', gate: 'bg-gate', steel: 'bg-line-strong' } satisfies Record<Series['tone'], string>

/** A chart of a month: a stacked bar for each day, and the same figures as a table. */
export function DayChart({ month, today, series, formatAmount, isLevel = false }: Props) {
  const t = useTranslations('dayChart')
  const format = useFormat()
  const days = daysIn(month)
  const peak = findPeak(series)
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <div>
        <p className="figures text-xs text-ink-soft">
          {peak > 0 && t(isLevel ? 'peakLevel' : 'peak', { amount: formatAmount(peak) })}
          {peak === 0 && (today.startsWith(month) ? t('noneYet') : t('none'))}
        </p>
        <svg
          role="img"
          aria-label={t('chart', { amount: formatAmount(peak) })}
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="mt-1 block h-36 w-full border-b border-line-strong"
        >
          {days.map((day, at) => (
            <g key={day}>
              <rect
                x={at * STEP}
                width={STEP}
                height={HEIGHT}
                className={day === today ? 'fill-sunken' : 'fill-transparent'}
              >
                <title>{`${format.day(day)}: ${format.parts(series.map(({ name, amounts }) => `${t(`series.${name}`)} ${formatAmount(amounts[at] ?? 0)}`))}`}</title>
              </rect>
              {bars(series, at, peak).map(({ tone, y, height }) => (
                <rect
                  key={tone}
                  x={at * STEP + (STEP - BAR) / 2}
                  y={y}
                  width={BAR}
                  height={height}
                  className={`pointer-events-none ${fills[tone]}`}
                />
              ))}
            </g>
          ))}
        </svg>
        <ol aria-hidden="true" className="figures mt-1 flex text-[0.6875rem] text-ink-soft">
          {days.map((day, at) => (
            <li key={day} className="flex-1 text-center">
              {at % 7 === 0 ? at + 1 : ''}
            </li>
          ))}
        </ol>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-ink-soft">
        {series.map(({ name, tone }) => (
          <span key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-[2px] ${tones[tone]}`} />
            {t(`series.${name}`)}
          </span>
        ))}
        <span>{t('utc')}</span>
      </figcaption>
      <DayTable
        days={days.filter((_, at) => totalAt(series, at) > 0)}
        all={days}
        series={series}
        formatAmount={formatAmount}
      />
    </figure>
  )
}

/** The segments of one bar, from the bottom up. */
function bars(series: readonly Series[], at: number, peak: number) {
  let below = 0
  return series.flatMap(({ tone, amounts }) => {
    const amount = amounts[at] ?? 0
    if (amount === 0) return []
    below += amount
    // Even the smallest amount stays visible.
    const height = Math.max(1, (HEIGHT * amount) / peak)
    return [{ tone, y: HEIGHT - Math.max(height, (HEIGHT * below) / peak), height }]
  })
}

interface TableProps {
  days: readonly string[]
  all: readonly string[]
  series: readonly Series[]
  formatAmount: (amount: number) => string
}

function DayTable({ days, all, series, formatAmount }: TableProps) {
  const t = useTranslations('dayChart')
  const format = useFormat()
  if (days.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-ink-soft hover:text-ink">{t('table')}</summary>
      <table className="figures mt-2 w-full text-right">
        <thead className="text-ink-soft">
          <tr>
            <th className="py-1 text-left font-medium">{t('day')}</th>
            {series.map(({ name }) => (
              <th key={name} className="py-1 pl-4 font-medium">
                {t(`series.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days.map((day) => (
            <tr key={day}>
              <th scope="row" className="py-1 text-left font-normal">
                {format.day(day)}
              </th>
              {series.map(({ name, amounts }) => (
                <td key={name} className="py-1 pl-4">
                  {formatAmount(amounts[all.indexOf(day)] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
