import { useTranslations } from 'use-intl/react'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { formatBilled } from './amounts.ts'
import type { Bill, BillLine, BudgetOverview, Prices } from './types.ts'

/** The provider's bill by line, up to today and forecast for the end of the month. Hidden for a disk without prices. */
export function EstimatedBill({ overview }: { overview: BudgetOverview }) {
  const t = useTranslations('adminSpending')
  const { bill, prices } = overview
  if (!bill && prices.provider === 'disk') return null
  return (
    <section aria-labelledby="bill" className="mt-10">
      <h2 id="bill" className="mb-3 text-lg font-semibold">
        {t('bill')}
      </h2>
      {bill ? (
        <div className="rounded-lg border border-line bg-surface p-4 sm:p-5">
          <Lines bill={bill} overview={overview} />
          <Notes bill={bill} overview={overview} />
        </div>
      ) : (
        <EmptyList>{t('billEmpty')}</EmptyList>
      )}
    </section>
  )
}

interface Props {
  bill: NonNullable<BudgetOverview['bill']>
  overview: BudgetOverview
}

function Lines({ bill: { soFar, atEnd }, overview: { prices, currency } }: Props) {
  const t = useTranslations('adminSpending')
  const format = useFormat()
  const bills: readonly Bill[] = atEnd ? [soFar, atEnd] : [soFar]
  return (
    <table className="figures w-full table-fixed text-right text-sm">
      <thead className="text-ink-soft">
        <tr className="align-bottom">
          <th className="w-[28%] pb-2 text-left font-medium sm:w-1/3">{t('billIn', { currency })}</th>
          <th className="pb-2 pl-3 font-medium">{atEnd ? t('billSoFar') : t('billMonth')}</th>
          {atEnd && <th className="pb-2 pl-3 font-medium">{t('billAtEnd')}</th>}
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-line border-y">
        {soFar.lines.map(({ kind }, at) => (
          <tr key={kind} className="align-baseline">
            <th scope="row" className="py-2 text-left font-normal">
              {t(`lines.${kind}`)}
            </th>
            {bills.map(({ lines }, column) => (
              <Cost key={columns[column]} line={lines[at]} prices={prices} />
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="align-baseline font-semibold">
          <th scope="row" className="pt-3 text-left font-semibold">
            {t('total')}
          </th>
          {bills.map(({ nanos }, column) => (
            <td key={columns[column]} className="pt-3 pl-2 tracking-[-0.01em] wrap-anywhere sm:pl-3 sm:text-lg">
              {format.money(nanos, currency)}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}

const columns = ['soFar', 'atEnd']

function Cost({ line, prices }: { line: BillLine | undefined; prices: Prices }) {
  const t = useTranslations('adminSpending')
  const format = useFormat()
  if (!line) return null
  return (
    <td className="py-2 pl-2 wrap-anywhere sm:pl-3">
      <span className="font-medium">{format.money(line.nanos, prices.currency)}</span>
      <span className="block text-ink-soft">{formatBilled(line, t, format)}</span>
    </td>
  )
}

function Notes({ bill: { atEnd, guessed }, overview: { prices, forecast } }: Props) {
  const t = useTranslations('adminSpending')
  const format = useFormat()
  return (
    <div className="mt-4 flex max-w-prose flex-col gap-1.5 text-sm text-ink-soft">
      <p>{t('billVersusBudget')}</p>
      <p>
        {format.sentences([
          t('usesPrices'),
          ...(atEnd && forecast ? [t('billForecast', { days: forecast.fromDays })] : []),
          t('billScope'),
        ])}
      </p>
      {guessed && (
        <p>
          {t('storageGuessed', {
            day: format.day(guessed.before),
            amount: formatBilled({ kind: 'bytesIn', amount: guessed.bytes, free: 0, per: prices.gigabyte }, t, format),
          })}
        </p>
      )}
      <p>{t('gigabyte', { bytes: format.count(prices.gigabyte) })}</p>
    </div>
  )
}
