'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTranslations } from 'use-intl/react'
import { nameBudget, refusedWhileSpent } from '#app/admin/spending/budget-name.ts'
import { useTRPC } from '#app/connection/trpc.ts'
import { useFormat } from '#app/ui/use-format.ts'

const EACH_MS = 60_000

/** Warns superadmins on every page about budgets that are nearly or fully spent. */
export function BudgetNotice() {
  const t = useTranslations('shell')
  const budgetT = useTranslations('budgets')
  const format = useFormat()
  const trpc = useTRPC()
  const query = useQuery(trpc.budget.alerts.queryOptions(undefined, { refetchInterval: EACH_MS, retry: false }))
  const budgets = query.data?.budgets ?? []
  if (budgets.length === 0) return null
  const spent = budgets.filter(({ state }) => state === 'spent')
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center justify-center gap-x-3 border-b border-line px-4 py-2 text-sm ${spent.length > 0 ? 'bg-danger-soft text-danger' : 'bg-gate-soft text-gate'}`}
    >
      <span className="text-center">
        {spent.length > 0
          ? budgetT('spent', {
              budgets: format.list(spent.map((budget) => nameBudget(budget, budgetT))),
              refused: refusedWhileSpent(spent.map(({ unit }) => unit)),
            })
          : budgetT('near', {
              budgets: format.list(
                budgets.map((budget) =>
                  budgetT('nearBudget', { budget: nameBudget(budget, budgetT), share: format.share(budget.share) }),
                ),
              ),
            })}
      </span>
      <Link href="/admin/spending" prefetch={false} className="font-medium underline underline-offset-4">
        {t('spending')}
      </Link>
    </div>
  )
}
