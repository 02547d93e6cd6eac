'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { DecimalField } from '#app/admin/decimal-field.tsx'
import { GuardedDialog } from '#app/admin/guarded-dialog.tsx'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { useSeen } from '#app/admin/use-seen.ts'
import { Select } from '#app/ui/select.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { NANOS } from '#format/money.ts'
import { formatBudgetAmount } from './amounts.ts'
import { nameBudget, refusedWhileSpent } from './budget-name.ts'
import type { BudgetItem, BudgetUnit } from './types.ts'
import { useBudgetActions } from './use-budget-actions.ts'

interface Props {
  /** The budget to change; null for a new one. */
  budget: BudgetItem | null
  budgets: readonly BudgetItem[]
  currency: string
  /** Whether nothing has a price: a budget for money would have no effect. */
  isFree: boolean
  onClose: () => void
}

type Kind = Pick<BudgetItem, 'unit' | 'period'>

const periodic: readonly Exclude<BudgetUnit, 'stored'>[] = ['money', 'requests', 'writes', 'reads', 'bytes', 'bytesOut']
const kinds: readonly Kind[] = [
  ...(['month', 'day'] as const).flatMap((period) => periodic.map((unit) => ({ unit, period }))),
  { unit: 'stored', period: 'standing' },
]
const everyMonth: Kind = { unit: 'money', period: 'month' }
const keyFor = ({ unit, period }: Kind) => `${unit} ${period}`

/** Sets, changes or removes a budget. A raise takes effect immediately. */
export default function BudgetDialog({ budget, budgets, currency, isFree, onClose }: Props) {
  const t = useTranslations('adminSpending')
  const budgetT = useTranslations('budgets')
  const format = useFormat()
  const unused = kinds.filter(
    (kind) =>
      (!isFree || kind.unit !== 'money') &&
      !budgets.some((each) => keyFor(each) === keyFor(kind) && each.ownLimit !== null),
  )
  const [kind, setKind] = useState(keyFor(budget ?? unused[0] ?? everyMonth))
  const chosen = kinds.find((each) => keyFor(each) === kind) ?? everyMonth
  const scale = scaleFor(chosen.unit, currency)
  const [amount, setAmount] = useState(budget ? (budget.ownLimit ?? budget.limit) / scale.of : Number.NaN)
  const [isChanged, setChanged] = useState(false)
  const [isTried, setTried] = useState(false)
  const actions = useBudgetActions()
  const own = budget?.ownLimit ?? null
  const withSeen = useSeen(own)
  const set = (limit: number | null) => withSeen((seen) => actions.set(chosen, limit, seen))
  return (
    <GuardedDialog
      title={budget ? nameBudget(budget, budgetT) : t('addBudget')}
      isChanged={isChanged}
      onClose={onClose}
    >
      {(leave) => (
        <SettingsForm
          save={Number.isNaN(amount) ? null : () => set(Math.round(amount * scale.of))}
          onIncomplete={() => setTried(true)}
          other={own === null ? null : { label: t('remove'), isDanger: true, run: () => set(null) }}
          onClose={leave}
          onDone={onClose}
        >
          {!budget && (
            <Select
              label={t('budgetFor')}
              value={kind}
              options={unused.map((each) => ({ value: keyFor(each), label: nameBudget(each, budgetT) }))}
              onChange={setKind}
            />
          )}
          <DecimalField
            label={scale.unit === null ? t('limitRequests') : t('limit', { unit: scale.unit })}
            value={amount}
            onChange={(typed) => {
              setAmount(typed)
              setChanged(true)
            }}
            max={Math.floor(Number.MAX_SAFE_INTEGER / scale.of)}
            isChecked={isTried}
            autoFocus
          />
          <p className="text-sm text-ink-soft">
            {format.sentences([
              ...(budget
                ? [
                    t('budgetUsed', {
                      amount: formatBudgetAmount(format, { unit: budget.unit, amount: budget.used, currency }),
                    }),
                  ]
                : []),
              ...(budget?.isFree ? [t('budgetFree')] : []),
              t('budgetWhenSpent', { refused: refusedWhileSpent([chosen.unit]), period: chosen.period }),
            ])}
          </p>
        </SettingsForm>
      )}
    </GuardedDialog>
  )
}

/** Returns the field's unit (null for requests) and how many counted units it stands for. */
function scaleFor(unit: BudgetUnit, currency: string): { readonly unit: string | null; readonly of: number } {
  if (unit === 'money') return { unit: currency, of: NANOS }
  if (unit === 'bytes' || unit === 'bytesOut' || unit === 'stored') return { unit: 'GiB', of: 1024 ** 3 }
  return { unit: null, of: 1 }
}
