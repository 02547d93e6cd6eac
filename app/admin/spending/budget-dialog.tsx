'use client'

import { useState } from 'react'
import { DecimalField } from '#app/admin/decimal-field.tsx'
import { GuardedDialog } from '#app/admin/guarded-dialog.tsx'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { useSeen } from '#app/admin/use-seen.ts'
import { Select } from '#app/ui/select.tsx'
import { NANOS } from '#format/money.ts'
import type { BudgetItem, BudgetUnit } from './types.ts'
import { useBudgetActions } from './use-budget-actions.ts'
import { budgetWords, formatAmount, refusedWords } from './words.ts'

interface Props {
  /** The one that is changed; null for a new one. */
  budget: BudgetItem | null
  budgets: readonly BudgetItem[]
  currency: string
  onClose: () => void
}

type Kind = Pick<BudgetItem, 'unit' | 'period'>

const passing: readonly Exclude<BudgetUnit, 'stored'>[] = ['money', 'requests', 'writes', 'reads', 'bytes', 'bytesOut']
const kinds: readonly Kind[] = [
  ...(['month', 'day'] as const).flatMap((period) => passing.map((unit) => ({ unit, period }))),
  { unit: 'stored', period: 'standing' },
]
const everyMonth: Kind = { unit: 'money', period: 'month' }
const keyOf = ({ unit, period }: Kind) => `${unit} ${period}`

/** Sets, raises or removes a budget. A raise holds at once. */
export function BudgetDialog({ budget, budgets, currency, onClose }: Props) {
  const free = kinds.filter((kind) => !budgets.some((each) => keyOf(each) === keyOf(kind) && each.ownLimit !== null))
  const [kind, setKind] = useState(keyOf(budget ?? free[0] ?? everyMonth))
  const chosen = kinds.find((each) => keyOf(each) === kind) ?? everyMonth
  const scale = scaleOf(chosen.unit, currency)
  const [amount, setAmount] = useState(budget ? (budget.ownLimit ?? budget.limit) / scale.of : Number.NaN)
  const [isChanged, setChanged] = useState(false)
  const [isTried, setTried] = useState(false)
  const actions = useBudgetActions()
  const own = budget?.ownLimit ?? null
  const withSeen = useSeen(own)
  const set = (limit: number | null) => withSeen((seen) => actions.set(chosen, limit, seen))
  return (
    <GuardedDialog title={budget ? budgetWords(budget) : 'A new budget'} isChanged={isChanged} onClose={onClose}>
      {(leave) => (
        <SettingsForm
          save={Number.isNaN(amount) ? null : () => set(Math.round(amount * scale.of))}
          onIncomplete={() => setTried(true)}
          other={own === null ? null : { label: 'Remove', isDanger: true, run: () => set(null) }}
          onClose={leave}
          onDone={onClose}
        >
          {!budget && (
            <Select
              label="Of what"
              value={kind}
              options={free.map((each) => ({ value: keyOf(each), label: budgetWords(each) }))}
              onChange={setKind}
            />
          )}
          <DecimalField
            label={`At most, in ${scale.word}`}
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
            {budget && `${formatAmount(budget.unit, budget.used, currency)} are used. `}
            {budget?.isFree && 'The provider’s free allowance bounds it too: the lower one holds. '}
            When it is spent, {refusedWords([chosen.unit])} are refused until{' '}
            {chosen.period === 'standing' ? 'something is removed' : 'the period ends'} or the budget is raised.
          </p>
        </SettingsForm>
      )}
    </GuardedDialog>
  )
}

/** What one types, and how much of what is counted one of it is. */
function scaleOf(unit: BudgetUnit, currency: string): { readonly word: string; readonly of: number } {
  if (unit === 'money') return { word: currency, of: NANOS }
  if (unit === 'bytes' || unit === 'bytesOut' || unit === 'stored') return { word: 'GiB', of: 1024 ** 3 }
  return { word: 'requests', of: 1 }
}
