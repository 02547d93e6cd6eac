import { useTranslations } from 'use-intl/react'
import type { Outputs } from '#app/connection/trpc.ts'
import { useFormat } from '#app/ui/use-format.ts'

type Day = Outputs['share']['use']['days'][number]

export const measures = ['visitors', 'requests', 'bytes'] as const
export type Measure = (typeof measures)[number]

const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const HEIGHT = 100
const STEP = 20
const BAR = 14

/** A bar for each of the last thirty days, and the same figures as a table. */
export function UseChart({ days, measure }: { days: readonly Day[]; measure: Measure }) {
  const t = useTranslations('sharing')
  const format = useFormat()
  const write = (amount: number) => (measure === 'bytes' ? format.bytes(amount) : format.count(amount))
  const amounts = lastDays(Date.now()).map((day) => ({
    day,
    amount: days.find((each) => each.day === day)?.[measure] ?? 0,
  }))
  const peak = Math.max(...amounts.map(({ amount }) => amount))
  const [first, last] = [amounts[0]?.day, amounts.at(-1)?.day]
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      {days.length === 0 && <p className="text-sm text-ink-soft">{t('noUse')}</p>}
      {days.length > 0 && (
        <div>
          <svg
            role="img"
            aria-label={t('chartLabel', { measure: t(`measure.${measure}`), amount: write(peak) })}
            viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="block h-28 w-full border-b border-line-strong"
          >
            {amounts.map(({ day, amount }, at) => (
              <g key={day}>
                <rect x={at * STEP} width={STEP} height={HEIGHT} className="fill-transparent">
                  <title>{`${format.day(day)}: ${write(amount)}`}</title>
                </rect>
                {amount > 0 && <Bar at={at} height={Math.max(2, (HEIGHT * amount) / peak)} />}
              </g>
            ))}
          </svg>
          <p aria-hidden="true" className="figures mt-1 flex justify-between text-xs text-ink-soft">
            <span>{first && format.day(first)}</span>
            <span>{last && format.day(last)}</span>
          </p>
        </div>
      )}
      <figcaption className="text-xs text-ink-soft">{t('utc')}</figcaption>
      {days.length > 0 && <DayTable days={days.toReversed()} />}
    </figure>
  )
}

function Bar({ at, height }: { at: number; height: number }) {
  const x = at * STEP + (STEP - BAR) / 2
  return <rect x={x} y={HEIGHT - height} width={BAR} height={height} className="pointer-events-none fill-water" />
}

/** The last days in UTC, today last. */
const lastDays = (now: number): readonly string[] =>
  Array.from({ length: DAYS }, (_, at) => new Date(now - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10))

function DayTable({ days }: { days: readonly Day[] }) {
  const t = useTranslations('sharing')
  const format = useFormat()
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-ink-soft hover:text-ink">{t('table')}</summary>
      <table className="figures mt-2 w-full text-right">
        <thead className="text-ink-soft">
          <tr>
            <th className="py-1 text-left font-medium">{t('day')}</th>
            {measures.map((measure) => (
              <th key={measure} className="py-1 pl-4 font-medium">
                {t(`measure.${measure}`)}
              </th>
            ))}
            <th className="py-1 pl-4 font-medium">{t('refused')}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days.map(({ day, visitors, requests, bytes, refused }) => (
            <tr key={day}>
              <th scope="row" className="py-1 text-left font-normal">
                {format.day(day)}
              </th>
              <td className="py-1 pl-4">{format.count(visitors)}</td>
              <td className="py-1 pl-4">{format.count(requests)}</td>
              <td className="py-1 pl-4">{format.bytes(bytes)}</td>
              <td className="py-1 pl-4">{format.count(refused)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
