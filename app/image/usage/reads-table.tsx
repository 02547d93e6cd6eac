import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import type { ReadDays } from './reads-chart.tsx'

/** The days that had a read, the latest first. */
export function ReadsTable({ days }: { days: ReadDays }) {
  const t = useTranslations('image')
  const format = useFormat()
  const rows = days.filter(({ reads }) => reads > 0).toReversed()
  return (
    <details>
      <summary className="cursor-pointer text-ink-soft hover:text-ink">{t('readsTable')}</summary>
      <table className="figures mt-2 w-full text-right">
        <thead className="text-ink-soft">
          <tr>
            <th className="py-1 text-left font-medium">{t('readsDay')}</th>
            <th className="py-1 pl-4 font-medium">{t('reads')}</th>
            <th className="py-1 pl-4 font-medium">{t('readsData')}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ day, reads, sent }) => (
            <tr key={day}>
              <th scope="row" className="py-1 text-left font-normal">
                {format.day(day)}
              </th>
              <td className="py-1 pl-4">{format.count(reads)}</td>
              <td className="py-1 pl-4">{format.bytes(sent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
