'use client'

import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { changeWithUndo } from '#app/admin/undoable.ts'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { Overtaken } from '#app/limits/overtaken.ts'
import type { BudgetItem, Overview, Prices } from './types.ts'
import { budgetWords, formatAmount } from './words.ts'

type Place = Pick<BudgetItem, 'period' | 'unit'>

/** What a superadmin sets. */
interface Setting<T> {
  put(value: T): Promise<unknown>
  /** What is set now. */
  read(overview: Overview): T
  words(value: T, currency: string): string
}

/** Changes what may be spent and what it costs, each with a way back. None changes what another has changed since it was shown. */
export function useBudgetActions() {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.budget.pathKey() })

    /** Puts a value in the place of another one, unless somebody else has put a third there. */
    async function exchange<T>({ put, read, words }: Setting<T>, value: T, before: T): Promise<void> {
      const overview = await queryClient.fetchQuery({ ...trpc.budget.overview.queryOptions({}), staleTime: 0 })
      const now = read(overview)
      if (hashKey([now]) !== hashKey([before]))
        throw new Overtaken(
          `It was changed meanwhile: ${words(now, overview.currency)}. Try again to replace that.`,
          now,
        )
      await put(value)
    }

    const replace = <T>(setting: Setting<T>, value: T, before: T, done: string, undone: string) =>
      changeWithUndo(
        refresh,
        () => exchange(setting, value, before),
        () => ({ done, undone, back: () => exchange(setting, before, value) }),
      )

    return {
      /** Null removes the budget. */
      set(place: Place, limit: number | null, before: number | null) {
        const name = budgetWords(place)
        const done = limit === null ? `There is no budget for “${name}” any more.` : `The budget for “${name}” holds.`
        const budget: Setting<number | null> = {
          put: (value) => client.budget.set.mutate({ ...place, limit: value }),
          read: ({ budgets }) =>
            budgets.find(({ period, unit }) => period === place.period && unit === place.unit)?.ownLimit ?? null,
          words: (now, currency) => (now === null ? 'there is none now' : formatAmount(place.unit, now, currency)),
        }
        return replace(budget, limit, before, done, `The budget for “${name}” is as it was.`)
      },
      setFreeTier(on: boolean) {
        const done = on ? 'What is free is the most that is used.' : 'The free allowances are no budgets any more.'
        const freeTier: Setting<boolean> = {
          put: (value) => client.budget.setFreeTier.mutate({ on: value }),
          read: (overview) => overview.freeTier,
          words: (now) => (now ? 'it is on' : 'it is off'),
        }
        return replace(freeTier, on, !on, done, 'The free allowances are as they were.')
      },
      /** Null for the published ones. */
      setPrices(prices: Prices | null, before: Prices | null) {
        const done = prices ? 'These prices hold from now on.' : 'The published prices hold again.'
        const own: Setting<Prices | null> = {
          put: (value) => client.budget.setPrices.mutate({ prices: value }),
          read: (overview) => (overview.pricesAreOwn ? overview.prices : null),
          words: (now) => (now ? `the prices of ${now.name} hold` : 'the published prices hold'),
        }
        return replace(own, prices, before, done, 'The prices are as they were.')
      },
    }
  }, [client, queryClient, trpc])
}
