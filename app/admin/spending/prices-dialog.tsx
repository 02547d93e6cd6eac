'use client'

import { type FormEvent, useState } from 'react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import type { Failure } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { DecimalField } from './decimal-field.tsx'
import type { Overview, Prices } from './types.ts'
import { useBudgetActions } from './use-budget-actions.ts'
import { NANOS } from './words.ts'

const fields = [
  { name: 'writes', label: 'A million writes and lists' },
  { name: 'reads', label: 'A million reads' },
  { name: 'deletes', label: 'A million deletes' },
  { name: 'bytesIn', label: 'A GB into the bucket' },
  { name: 'bytesOut', label: 'A GB out of it' },
  { name: 'stored', label: 'A GB stored for a month' },
] as const

/** What the owner pays, where that is not what is published. */
export function PricesDialog({ overview, onClose }: { overview: Overview; onClose: () => void }) {
  const { prices: before, pricesAreOwn, day } = overview
  const [prices, setPrices] = useState<Prices>(before)
  const [error, setError] = useState<Failure | null>(null)
  const [isPending, setPending] = useState(false)
  const isHeldBack = useHeldBack(error)
  const actions = useBudgetActions()
  const save = async (next: Prices | null) => {
    setPending(true)
    try {
      await actions.setPrices(next, pricesAreOwn ? before : null)
      onClose()
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
      setPending(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending && !isHeldBack) void save({ ...prices, asOf: day, source: null, note: '' })
  }
  return (
    <Dialog title="Prices" isOpen onClose={onClose} isWide>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-soft">
          What was counted already stays as it was counted. Without VAT, and without steps by volume.
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
        <FormFailure error={error} />
        <DialogActions>
          {pricesAreOwn && (
            <Button className="mr-auto" isDisabled={isPending} onPress={() => save(null)}>
              Use the published ones
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isPending={isPending} isDisabled={isHeldBack}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
