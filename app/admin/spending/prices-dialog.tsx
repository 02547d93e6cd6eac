'use client'

import { useState } from 'react'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { DecimalField } from './decimal-field.tsx'
import type { Overview, Prices } from './types.ts'
import { useBudgetActions } from './use-budget-actions.ts'
import { gigabyteWords, NANOS } from './words.ts'

const fields = [
  { name: 'writes', label: 'A million writes and lists' },
  { name: 'reads', label: 'A million reads' },
  { name: 'deletes', label: 'A million deletes' },
  { name: 'bytesIn', label: 'A GB in' },
  { name: 'bytesOut', label: 'A GB out' },
  { name: 'stored', label: 'A GB stored for a month' },
] as const

/** What the owner pays, where that is not what is published. */
export function PricesDialog({ overview, onClose }: { overview: Overview; onClose: () => void }) {
  const { prices: before, pricesAreOwn, day } = overview
  const [prices, setPrices] = useState<Prices>(before)
  const actions = useBudgetActions()
  const set = (next: Prices | null) => actions.setPrices(next, pricesAreOwn ? before : null)
  return (
    <Dialog title="Prices" isOpen onClose={onClose} isWide>
      <SettingsForm
        save={() => set({ ...prices, asOf: day, source: null, note: '' })}
        other={pricesAreOwn ? { label: 'Use the published ones', run: () => set(null) } : null}
        onClose={onClose}
      >
        <p className="text-sm text-ink-soft">
          What was counted already stays as it was counted. Without VAT, and without steps by volume.{' '}
          {gigabyteWords(before.gigabyte)}
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" value={prices.name} onChange={(name) => setPrices({ ...prices, name })} />
          <Field
            label="Currency"
            hint="A code such as USD."
            isVerbatim
            maxLength={3}
            value={prices.currency}
            onChange={(currency) => setPrices({ ...prices, currency: currency.toUpperCase() })}
          />
          {fields.map(({ name, label }) => (
            <DecimalField
              key={name}
              label={label}
              value={prices[name] / NANOS}
              onChange={(amount) =>
                setPrices({ ...prices, [name]: Math.round((Number.isNaN(amount) ? 0 : amount) * NANOS) })
              }
            />
          ))}
        </div>
      </SettingsForm>
    </Dialog>
  )
}
