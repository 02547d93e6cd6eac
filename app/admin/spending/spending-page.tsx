'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Select } from '#app/ui/select.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { BudgetsSection } from './budgets.tsx'
import { CostBreakdown } from './cost-breakdown.tsx'
import { EstimatedBill } from './estimated-bill.tsx'
import { lastMonths } from './month-days.ts'
import { Pricing } from './pricing.tsx'
import { MonthSummary } from './summary.tsx'

const EACH_MS = 15_000
const MONTHS = 12

/** Cost of the bucket or disk: the month's summary, the bill, budgets, the breakdown and prices. */
export function SpendingPage() {
  const t = useTranslations('adminSpending')
  const format = useFormat()
  const trpc = useTRPC()
  const [month, setMonth] = useState('')
  const input = month === '' ? {} : { month }
  const query = useQuery(
    trpc.budget.overview.queryOptions(input, { refetchInterval: EACH_MS, placeholderData: keepPreviousData }),
  )
  const overview = query.data
  const months = overview ? lastMonths(overview.day.slice(0, 7), MONTHS) : []
  return (
    <div className="mx-auto max-w-5xl px-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-3 py-6">
        <h1 className="mr-auto text-2xl font-semibold tracking-[-0.02em]">{t('title')}</h1>
        {overview && (
          <div className="w-48">
            <Select
              label={t('month')}
              isLabelHidden
              value={overview.month}
              options={months.map((value) => ({ value, label: format.month(value) }))}
              onChange={(chosen) => setMonth(chosen === months[0] ? '' : chosen)}
            />
          </div>
        )}
      </div>
      {query.isPending && <Skeleton className="h-96 w-full" />}
      <QueryStanding query={query} />
      {overview && (
        <>
          <MonthSummary overview={overview} />
          <EstimatedBill overview={overview} />
          <BudgetsSection overview={overview} />
          <CostBreakdown overview={overview} />
          <Pricing overview={overview} />
        </>
      )}
    </div>
  )
}
