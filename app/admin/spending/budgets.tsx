'use client'

import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { late } from '#app/ui/late.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { formatBudgetAmount } from './amounts.ts'
import { nameBudget } from './budget-name.ts'
import type { BudgetItem, BudgetOverview } from './types.ts'

const BudgetDialog = late(() => import('./budget-dialog.tsx'))

/** The budgets, and how much of each is used. */
export function BudgetsSection({ overview }: { overview: BudgetOverview }) {
  const t = useTranslations('adminSpending')
  const { budgets, currency, prices, isFree } = overview
  const [editing, setEditing] = useState<BudgetItem | 'new' | null>(null)
  return (
    <section aria-labelledby="budgets" className="mt-10">
      <div className="mb-3 flex items-center gap-3">
        <h2 id="budgets" className="mr-auto text-lg font-semibold">
          {t('budgets')}
        </h2>
        <Button size="small" onPress={() => setEditing('new')}>
          <Plus size={16} /> {t('addBudget')}
        </Button>
      </div>
      {budgets.length === 0 ? (
        <EmptyList>{t('budgetsEmpty', { provider: prices.provider })}</EmptyList>
      ) : (
        <ul aria-label={t('budgets')} className="divide-y divide-line rounded-lg border border-line bg-surface">
          {budgets.map((budget) => (
            <BudgetLine
              key={`${budget.period} ${budget.unit}`}
              budget={budget}
              currency={currency}
              onEdit={() => setEditing(budget)}
            />
          ))}
        </ul>
      )}
      {editing && (
        <BudgetDialog
          budget={editing === 'new' ? null : editing}
          budgets={budgets}
          currency={currency}
          isFree={isFree}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  )
}

const fills = { fine: 'bg-water', near: 'bg-gate', spent: 'bg-danger' } satisfies Record<BudgetItem['state'], string>

interface LineProps {
  budget: BudgetItem
  currency: string
  onEdit: () => void
}

function BudgetLine({ budget, currency, onEdit }: LineProps) {
  const t = useTranslations('adminSpending')
  const budgetT = useTranslations('budgets')
  const { unit, used, storage, limit, share, state, resetsAt, isFree, ownLimit } = budget
  const name = nameBudget(budget, budgetT)
  const format = useFormat()
  const say = (amount: number) => formatBudgetAmount(format, { unit, amount, currency })
  const text = t('usedOf', { used: say(used), limit: say(limit) })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-3">
      <div className="flex min-w-0 flex-col gap-1.5">
        <meter aria-label={name} aria-valuetext={text} max={100} value={share * 100} className="sr-only" />
        <span className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-medium">{name}</span>
          {state === 'near' && <Tag tone="gate">{t('nearLimit')}</Tag>}
          {state === 'spent' && <Tag tone="danger">{t('spent')}</Tag>}
          {isFree && <Tag tone="plain">{t('freeAllowance')}</Tag>}
          <span className="figures ml-auto text-ink-soft">{format.share(share)}</span>
        </span>
        <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset">
          <span
            className={`block h-full rounded-full ${fills[state]}`}
            style={{ width: `${Math.min(100, share * 100)}%` }}
          />
        </span>
        <span className="figures flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft">
          <span>
            {text}
            {storage > 0 && ` · ${t('includesStorage', { amount: say(storage) })}`}
            {isFree && ownLimit !== null && ` · ${t('ownBudget', { amount: say(ownLimit) })}`}
          </span>
          {resetsAt && <span>{t.rich('resets', { date: () => <LocalDate iso={resetsAt} time /> })}</span>}
        </span>
      </div>
      <IconButton label={t('changeBudget', { budget: name })} onPress={onEdit}>
        <Pencil size={16} />
      </IconButton>
    </li>
  )
}
