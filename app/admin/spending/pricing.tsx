'use client'

import { useState } from 'react'
import { Switch } from 'react-aria-components'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatCount } from '#format/counts.ts'
import { formatDate } from '#format/dates.ts'
import { formatPrice } from '#format/money.ts'
import { PricesDialog } from './prices-dialog.tsx'
import type { Overview } from './types.ts'
import { useBudgetActions } from './use-budget-actions.ts'
import { budgetWords, formatAmount, storeWord } from './words.ts'

/** What the provider charges, and what of it is free. */
export function Pricing({ overview }: { overview: Overview }) {
  const { prices, pricesAreOwn, freeTier, currency } = overview
  const [isEditing, setEditing] = useState(false)
  const actions = useBudgetActions()
  const setFreeTier = (on: boolean) => {
    actions.setFreeTier(on).catch((error) => reportFailure('It was not changed.', error, () => setFreeTier(on)))
  }
  const isPublished = prices.provider !== 'disk' && prices.provider !== 'other'
  const million = (nanos: number) => `${formatPrice(nanos, currency)} a million`
  const gigabyte = (nanos: number) => `${formatPrice(nanos, currency)} a GB`
  return (
    <section aria-labelledby="prices" className="mt-10">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 id="prices" className="mr-auto text-lg font-semibold">
          Prices
        </h2>
        <Button size="small" onPress={() => setEditing(true)}>
          Change prices
        </Button>
      </div>
      <div className="grid gap-x-8 gap-y-4 rounded-lg border border-line bg-surface p-4 text-sm sm:grid-cols-2 sm:p-5">
        <div className="flex min-w-0 flex-col gap-2">
          <p>
            <span className="font-medium">{prices.name}</span>
            {(pricesAreOwn || isPublished) && (
              <span className="block text-ink-soft">
                {pricesAreOwn ? 'Entered by hand' : 'As published'}, of{' '}
                {formatDate(prices.asOf, { time: false, timeZone: 'UTC' })}
                {prices.source && (
                  <>
                    {' · '}
                    <a href={prices.source} rel="noreferrer" className="text-water underline underline-offset-4">
                      {new URL(prices.source).hostname}
                    </a>
                  </>
                )}
              </span>
            )}
          </p>
          {prices.note && <p className="text-ink-soft">{prices.note}</p>}
          {prices.free.length > 0 && (
            <>
              <Switch
                isSelected={freeTier}
                onChange={setFreeTier}
                className="group mt-1 flex cursor-pointer items-center gap-2.5 font-medium"
              >
                <span className="h-5 w-9 shrink-0 rounded-full bg-line-strong p-0.5 group-selected:bg-water">
                  <span className="block size-4 rounded-full bg-surface transition-transform group-selected:translate-x-4" />
                </span>
                Use no more than is free
              </Switch>
              <ul className="figures text-ink-soft">
                {prices.free.map((each) => (
                  <li key={`${each.period} ${each.unit}`}>
                    {budgetWords(each)}: {formatAmount(each.unit, each.limit, currency)}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        <dl className="figures grid grid-cols-[minmax(0,1fr)_max-content] content-start gap-x-4 gap-y-1">
          <Price term="Writes and lists">{million(prices.writes)}</Price>
          <Price term="Reads">{million(prices.reads)}</Price>
          <Price term="Deletes">{million(prices.deletes)}</Price>
          <Price term={`Into the ${storeWord(prices)}`}>{gigabyte(prices.bytesIn)}</Price>
          <Price term={`Out of the ${storeWord(prices)}`}>{gigabyte(prices.bytesOut)}</Price>
          <Price term="Stored for a month">{gigabyte(prices.stored)}</Price>
          <Price term="A GB of these prices">{`${formatCount(prices.gigabyte)} bytes`}</Price>
        </dl>
      </div>
      {isEditing && <PricesDialog overview={overview} onClose={() => setEditing(false)} />}
    </section>
  )
}

function Price({ term, children }: { term: string; children: string }) {
  return (
    <>
      <dt className="text-ink-soft">{term}</dt>
      <dd className="text-right">{children}</dd>
    </>
  )
}
