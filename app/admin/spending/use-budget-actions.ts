'use client'

import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { changeWithUndo } from '#app/admin/change-with-undo.ts'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { EditConflict } from '#app/limits/edit-conflict.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { formatBudgetAmount } from './amounts.ts'
import { nameBudget } from './budget-name.ts'
import type { BudgetItem, BudgetOverview, Prices } from './types.ts'

type BudgetKind = Pick<BudgetItem, 'period' | 'unit'>

/** A value that a superadmin can set. */
interface Setting<T> {
  put(value: T): Promise<unknown>
  /** The current value. */
  read(overview: BudgetOverview): T
  inWords(value: T, currency: string): string
}

/** Changes budgets and prices, each with undo. Rejects with an EditConflict if someone else has changed what was shown. */
export function useBudgetActions() {
  const tFailures = useTranslations('failures')
  const tAdmin = useTranslations('admin')
  const tAdminSpending = useTranslations('adminSpending')
  const budgetT = useTranslations('budgets')
  const format = useFormat()
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.budget.pathKey() })

    /** Replaces a value, unless the current one is not `before`. */
    async function exchange<T>(
      { put, read, inWords }: Setting<T>,
      value: T,
      before: T,
      conflict: (now: string) => string,
    ): Promise<void> {
      const overview = await queryClient.fetchQuery({ ...trpc.budget.overview.queryOptions({}), staleTime: 0 })
      const now = read(overview)
      if (hashKey([now]) !== hashKey([before])) throw new EditConflict(conflict(inWords(now, overview.currency)), now)
      await put(value)
    }

    const replace = <T>(setting: Setting<T>, value: T, before: T, done: string) =>
      changeWithUndo(tAdmin, {
        refresh,
        run: () => exchange(setting, value, before, (now) => tFailures('changed', { now })),
        done: () => done,
        undo: () => exchange(setting, before, value, (now) => tAdmin('changedInMeantime', { now })),
      })

    return {
      /** Null removes the budget. */
      set(kind: BudgetKind, limit: number | null, before: number | null) {
        const name = nameBudget(kind, budgetT)
        const budget: Setting<number | null> = {
          put: (value) => client.budget.set.mutate({ ...kind, limit: value }),
          read: ({ budgets }) =>
            budgets.find(({ period, unit }) => period === kind.period && unit === kind.unit)?.ownLimit ?? null,
          inWords: (now, currency) =>
            now === null
              ? tAdminSpending('withoutBudget')
              : formatBudgetAmount(format, { unit: kind.unit, amount: now, currency }),
        }
        const done =
          limit === null
            ? tAdminSpending('budgetRemoved', { budget: name })
            : tAdminSpending('budgetSaved', { budget: name })
        return replace(budget, limit, before, done)
      },
      setFreeTier(on: boolean) {
        const freeTier: Setting<boolean> = {
          put: (value) => client.budget.setFreeTier.mutate({ on: value }),
          read: (overview) => overview.freeTier,
          inWords: (now) => (now ? tAdminSpending('freeTierIsOn') : tAdminSpending('freeTierIsOff')),
        }
        const done = on ? tAdminSpending('freeTierOn') : tAdminSpending('freeTierOff')
        return replace(freeTier, on, !on, done)
      },
      /** Null restores the published prices. */
      setPrices(prices: Prices | null, before: Prices | null) {
        const own: Setting<Prices | null> = {
          put: (value) => client.budget.setPrices.mutate({ prices: value }),
          read: (overview) => (overview.pricesAreOwn ? overview.prices : null),
          inWords: (now) => (now ? tAdminSpending('pricesOf', { name: now.name }) : tAdminSpending('pricesPublished')),
        }
        const done = prices ? tAdminSpending('pricesSaved') : tAdminSpending('pricesReset')
        return replace(own, prices, before, done)
      },
    }
  }, [budgetT, client, format, queryClient, tAdmin, tAdminSpending, tFailures, trpc])
}
