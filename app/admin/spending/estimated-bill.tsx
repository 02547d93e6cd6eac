import { count } from '#format/counts.ts'
import { formatDay } from '#format/dates.ts'
import { formatMoney } from '#format/money.ts'
import type { Bill, BillLine, Overview, Prices } from './types.ts'
import { amountWords, gigabyteWords, storeWord } from './words.ts'

/** What the provider will ask for, by line: up to today, and at the month’s end. Nothing is shown of a disk without prices. */
export function EstimatedBill({ overview }: { overview: Overview }) {
  const { bill, prices } = overview
  if (!bill && prices.provider === 'disk') return null
  return (
    <section aria-labelledby="bill" className="mt-10">
      <h2 id="bill" className="mb-3 text-lg font-semibold">
        Estimated bill
      </h2>
      {bill ? (
        <div className="rounded-lg border border-line bg-surface p-4 sm:p-5">
          <Lines bill={bill} overview={overview} />
          <Notes bill={bill} overview={overview} />
        </div>
      ) : (
        <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
          Nothing can be estimated while nothing has a price. Enter below what your provider charges.
        </p>
      )}
    </section>
  )
}

interface Props {
  bill: NonNullable<Overview['bill']>
  overview: Overview
}

function Lines({ bill: { soFar, atEnd }, overview: { prices, currency } }: Props) {
  const bills: readonly Bill[] = atEnd ? [soFar, atEnd] : [soFar]
  return (
    <table className="figures w-full table-fixed text-right text-sm">
      <thead className="text-ink-soft">
        <tr className="align-bottom">
          <th className="w-[28%] pb-2 text-left font-medium sm:w-1/3">In {currency}</th>
          <th className="pb-2 pl-3 font-medium">{atEnd ? 'So far' : 'The month'}</th>
          {atEnd && <th className="pb-2 pl-3 font-medium">By the month’s end</th>}
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-line border-y">
        {soFar.lines.map(({ kind }, at) => (
          <tr key={kind} className="align-baseline">
            <th scope="row" className="py-2 text-left font-normal">
              {nameOf(kind, prices)}
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
            Total
          </th>
          {bills.map(({ nanos }, column) => (
            <td key={columns[column]} className="pt-3 pl-2 tracking-[-0.01em] wrap-anywhere sm:pl-3 sm:text-lg">
              {formatMoney(nanos, currency)}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}

const columns = ['so far', 'at the end']

function nameOf(kind: BillLine['kind'], prices: Prices): string {
  if (kind === 'bytesIn') return `Into the ${storeWord(prices)}`
  if (kind === 'bytesOut') return `Out of the ${storeWord(prices)}`
  return { writes: 'Writes and lists', reads: 'Reads', deletes: 'Deletes', stored: 'Stored, in GB\u2011months' }[kind]
}

function Cost({ line, prices }: { line: BillLine | undefined; prices: Prices }) {
  if (!line) return null
  return (
    <td className="py-2 pl-2 wrap-anywhere sm:pl-3">
      <span className="font-medium">{formatMoney(line.nanos, prices.currency)}</span>
      <span className="block text-ink-soft">{amountWords(line)}</span>
    </td>
  )
}

function Notes({ bill: { atEnd, guessed }, overview: { prices, forecast } }: Props) {
  const pace = forecast && (forecast.fromDays === 0 ? 'of today' : `of ${count(forecast.fromDays, 'day')}`)
  return (
    <div className="mt-4 flex max-w-prose flex-col gap-1.5 text-sm text-ink-soft">
      <p>
        A budget of money counts as if nothing were free, and what is stored up to the end of its period at once; this
        bill takes off what is free.
      </p>
      <p>
        By the prices below. {atEnd && pace && `The month’s end is at the pace ${pace}, with as much stored as now. `}
        Taxes are not in it, nor what else the account is used for: its allowances are taken off as if Sluice had them
        alone.
      </p>
      {guessed && (
        <p>
          What was stored before {formatDay(guessed.before)} was not counted: those days stand with{' '}
          {amountWords({ kind: 'bytesIn', amount: guessed.bytes, free: 0, per: prices.gigabyte })}.
        </p>
      )}
      <p>{gigabyteWords(prices.gigabyte)}</p>
    </div>
  )
}
