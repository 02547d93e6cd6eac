'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { DecimalField } from '#app/admin/decimal-field.tsx'
import { GuardedDialog } from '#app/admin/guarded-dialog.tsx'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { useSeen } from '#app/admin/use-seen.ts'
import { Field } from '#app/ui/field.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { NANOS } from '#format/money.ts'
import type { BudgetOverview, Prices } from './types.ts'
import { useBudgetActions } from './use-budget-actions.ts'

const fields = ['writes', 'reads', 'deletes', 'bytesIn', 'bytesOut', 'stored'] as const

/** The server's maximum, in units of the currency. */
const MAX_PRICE = 1_000_000

/** The prices that the owner pays, if they are not the published ones. */
export default function PricesDialog({ overview, onClose }: { overview: BudgetOverview; onClose: () => void }) {
  const t = useTranslations('adminSpending')
  const format = useFormat()
  const { prices: before, pricesAreOwn, day } = overview
  const [prices, setPrices] = useState<Prices>({ ...before, name: initialName(t, before, pricesAreOwn) })
  const [isChanged, setChanged] = useState(false)
  const [isTried, setTried] = useState(false)
  const actions = useBudgetActions()
  const withSeen = useSeen(pricesAreOwn ? before : null)
  const set = (next: Prices | null) => withSeen((seen) => actions.setPrices(next, seen))
  const change = (part: Partial<Prices>) => {
    setPrices({ ...prices, ...part })
    setChanged(true)
  }
  const nameProblem = prices.name.trim() === '' ? t('priceNameMissing') : null
  const currencyProblem = /^[A-Z]{3}$/.test(prices.currency) ? null : t('currencyInvalid')
  const isComplete = !nameProblem && !currencyProblem && fields.every((name) => !Number.isNaN(prices[name]))
  return (
    <GuardedDialog title={t('prices')} isChanged={isChanged} onClose={onClose} isWide>
      {(leave) => (
        <SettingsForm
          save={isComplete ? () => set({ ...prices, asOf: day, source: null, note: '' }) : null}
          onIncomplete={() => setTried(true)}
          other={pricesAreOwn ? { label: t('usePublished'), run: () => set(null) } : null}
          onClose={leave}
          onDone={onClose}
        >
          <p className="text-sm text-ink-soft">
            {format.sentences([t('pricesText'), t('gigabyte', { bytes: format.count(before.gigabyte) })])}
          </p>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label={t('priceName')}
              maxLength={100}
              value={prices.name}
              onChange={(name) => change({ name })}
              error={isTried ? nameProblem : null}
            />
            <Field
              label={t('currency')}
              hint={t('currencyHint')}
              isVerbatim
              maxLength={3}
              value={prices.currency}
              onChange={(currency) => change({ currency: currency.toUpperCase() })}
              error={isTried ? currencyProblem : null}
            />
            {prices.currency !== before.currency && !currencyProblem && (
              <p role="status" className="text-sm text-ink-soft sm:col-span-2">
                {t('currencyChanged', { currency: prices.currency })}
              </p>
            )}
            {fields.map((name) => (
              <DecimalField
                key={name}
                label={t(`pricesOfUnit.${name}`)}
                value={prices[name] / NANOS}
                onChange={(amount) => change({ [name]: Math.round(amount * NANOS) })}
                max={MAX_PRICE}
                isChecked={isTried}
              />
            ))}
          </div>
        </SettingsForm>
      )}
    </GuardedDialog>
  )
}

/** Empty for an unknown provider: its placeholder name would not fit the prices entered. */
function initialName(t: Translate<'adminSpending'>, { name, provider }: Prices, areOwn: boolean): string {
  if (areOwn) return name
  return provider === 'other' ? '' : t(`published.name.${provider}`)
}
