'use client'

import { useState } from 'react'
import { DecimalField } from '#app/admin/decimal-field.tsx'
import { GuardedDialog } from '#app/admin/guarded-dialog.tsx'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { useSeen } from '#app/admin/use-seen.ts'
import { Field } from '#app/ui/field.tsx'
import { NANOS } from '#format/money.ts'
import type { Overview, Prices } from './types.ts'
import { useBudgetActions } from './use-budget-actions.ts'
import { gigabyteWords } from './words.ts'

const fields = [
  { name: 'writes', label: 'A million writes and lists' },
  { name: 'reads', label: 'A million reads' },
  { name: 'deletes', label: 'A million deletes' },
  { name: 'bytesIn', label: 'A GB in' },
  { name: 'bytesOut', label: 'A GB out' },
  { name: 'stored', label: 'A GB stored for a month' },
] as const

/** In the currency's unit: what the server takes. */
const DEAREST = 1_000_000

/** What the owner pays, where that is not what is published. */
export function PricesDialog({ overview, onClose }: { overview: Overview; onClose: () => void }) {
  const { prices: before, pricesAreOwn, day } = overview
  const [prices, setPrices] = useState<Prices>({ ...before, name: nameOf(before, pricesAreOwn) })
  const [isChanged, setChanged] = useState(false)
  const [isTried, setTried] = useState(false)
  const actions = useBudgetActions()
  const withSeen = useSeen(pricesAreOwn ? before : null)
  const set = (next: Prices | null) => withSeen((seen) => actions.setPrices(next, seen))
  const change = (part: Partial<Prices>) => {
    setPrices({ ...prices, ...part })
    setChanged(true)
  }
  const nameProblem = prices.name.trim() === '' ? 'Whose prices they are.' : null
  const currencyProblem = /^[A-Z]{3}$/.test(prices.currency) ? null : 'Three letters, such as USD.'
  const isComplete = !nameProblem && !currencyProblem && fields.every(({ name }) => !Number.isNaN(prices[name]))
  return (
    <GuardedDialog title="Prices" isChanged={isChanged} onClose={onClose} isWide>
      {(leave) => (
        <SettingsForm
          save={isComplete ? () => set({ ...prices, asOf: day, source: null, note: '' }) : null}
          onIncomplete={() => setTried(true)}
          other={pricesAreOwn ? { label: 'Use the published ones', run: () => set(null) } : null}
          onClose={leave}
          onDone={onClose}
        >
          <p className="text-sm text-ink-soft">
            What was counted already stays as it was counted. Without VAT, and without steps by volume.{' '}
            {gigabyteWords(before.gigabyte)}
          </p>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Name"
              maxLength={100}
              value={prices.name}
              onChange={(name) => change({ name })}
              error={isTried ? nameProblem : null}
            />
            <Field
              label="Currency"
              hint="A code such as USD."
              isVerbatim
              maxLength={3}
              value={prices.currency}
              onChange={(currency) => change({ currency: currency.toUpperCase() })}
              error={isTried ? currencyProblem : null}
            />
            {prices.currency !== before.currency && !currencyProblem && (
              <p role="status" className="text-sm text-ink-soft sm:col-span-2">
                Nothing is converted: what was counted, and budgets of money, keep their numbers and are read as{' '}
                {prices.currency}.
              </p>
            )}
            {fields.map(({ name, label }) => (
              <DecimalField
                key={name}
                label={label}
                value={prices[name] / NANOS}
                onChange={(amount) => change({ [name]: Math.round(amount * NANOS) })}
                max={DEAREST}
                isChecked={isTried}
              />
            ))}
          </div>
        </SettingsForm>
      )}
    </GuardedDialog>
  )
}

/** The published prices of a bucket that is not known are nobody's: their name would deny what is entered. */
const nameOf = ({ name, provider }: Prices, areOwn: boolean): string => (!areOwn && provider === 'other' ? '' : name)
