'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { late } from '#app/ui/late.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { formatBudgetAmount } from './amounts.ts'
import { nameBudget } from './budget-name.ts'
import type { BudgetOverview } from './types.ts'
import { useBudgetActions } from './use-budget-actions.ts'

const PricesDialog = late(() => import('./prices-dialog.tsx'))

/** The provider's prices and free allowance. */
export function Pricing({ overview }: { overview: BudgetOverview }) {
  const t = useTranslations('adminSpending')
  const budgetT = useTranslations('budgets')
  const format = useFormat()
  const { prices, pricesAreOwn, freeTier, currency, isFree } = overview
  const [isEditing, setEditing] = useState(false)
  const actions = useBudgetActions()
  const setFreeTier = (on: boolean) => {
    actions.setFreeTier(on).catch((error) => reportFailure(t('freeTierFailed'), error, () => setFreeTier(on)))
  }
  const note = pricesAreOwn ? prices.note : t(`published.note.${prices.provider}`)
  const isPublished = prices.provider !== 'disk' && prices.provider !== 'other'
  const date = format.date(prices.asOf, { time: false, timeZone: 'UTC' })
  const perMillion = (nanos: number) => t('perMillion', { price: format.price(nanos, currency) })
  const perGigabyte = (nanos: number) => t('perGigabyte', { price: format.price(nanos, currency) })
  return (
    <section aria-labelledby="prices" className="mt-10">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 id="prices" className="mr-auto text-lg font-semibold">
          {t('prices')}
        </h2>
        <Button size="small" onPress={() => setEditing(true)}>
          {t(isFree ? 'enterPrices' : 'changePrices')}
        </Button>
      </div>
      <div className="grid gap-x-8 gap-y-4 rounded-lg border border-line bg-surface p-4 text-sm sm:grid-cols-2 sm:p-5">
        <div className="flex min-w-0 flex-col gap-2">
          <p>
            <span className="font-medium">{pricesAreOwn ? prices.name : t(`published.name.${prices.provider}`)}</span>
            {(pricesAreOwn || isPublished) && (
              <span className="block text-ink-soft">
                {pricesAreOwn ? t('pricesByHand', { date }) : t('pricesAsOf', { date })}
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
          {note && <p className="text-ink-soft">{note}</p>}
          {prices.free.length > 0 && (
            <>
              <Switch label={t('freeTier')} isOn={freeTier} onChange={setFreeTier} />
              <ul className="figures text-ink-soft">
                {prices.free.map((each) => (
                  <li key={`${each.period} ${each.unit}`}>
                    {t('freeLine', {
                      budget: nameBudget(each, budgetT),
                      amount: formatBudgetAmount(format, { unit: each.unit, amount: each.limit, currency }),
                    })}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        {!isFree && (
          <dl className="figures grid grid-cols-[minmax(0,1fr)_max-content] content-start gap-x-4 gap-y-1">
            <Price term={t('lines.writes')}>{perMillion(prices.writes)}</Price>
            <Price term={t('lines.reads')}>{perMillion(prices.reads)}</Price>
            <Price term={t('lines.deletes')}>{perMillion(prices.deletes)}</Price>
            <Price term={t('lines.bytesIn')}>{perGigabyte(prices.bytesIn)}</Price>
            <Price term={t('lines.bytesOut')}>{perGigabyte(prices.bytesOut)}</Price>
            <Price term={t('storedPrice')}>{perGigabyte(prices.stored)}</Price>
            <Price term={t('gigabyteTerm')}>{t('gigabyteBytes', { bytes: format.count(prices.gigabyte) })}</Price>
          </dl>
        )}
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
