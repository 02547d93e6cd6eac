'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { changeWithUndo } from '#app/admin/undoable.ts'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import type { BudgetItem, Prices } from './types.ts'
import { budgetWords } from './words.ts'

type Place = Pick<BudgetItem, 'period' | 'unit'>

/** Changes what may be spent and what it costs, each with a way back. */
export function useBudgetActions() {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.budget.pathKey() })

    /** Puts a value in the place of another one. */
    const replace = <T>(put: (value: T) => Promise<unknown>, value: T, before: T, done: string, undone: string) =>
      changeWithUndo(
        refresh,
        () => put(value),
        () => ({ done, undone, back: () => put(before) }),
      )

    return {
      /** Null removes the budget. */
      set(place: Place, limit: number | null, before: number | null) {
        const name = budgetWords(place)
        const done = limit === null ? `There is no budget for “${name}” any more.` : `The budget for “${name}” holds.`
        const put = (value: number | null) => client.budget.set.mutate({ ...place, limit: value })
        return replace(put, limit, before, done, `The budget for “${name}” is as it was.`)
      },
      setFreeTier(on: boolean) {
        const done = on ? 'What is free is the most that is used.' : 'The free allowances are no budgets any more.'
        const put = (value: boolean) => client.budget.setFreeTier.mutate({ on: value })
        return replace(put, on, !on, done, 'The free allowances are as they were.')
      },
      /** Null for the published ones. */
      setPrices(prices: Prices | null, before: Prices | null) {
        const done = prices ? 'These prices hold from now on.' : 'The published prices hold again.'
        const put = (value: Prices | null) => client.budget.setPrices.mutate({ prices: value })
        return replace(put, prices, before, done, 'The prices are as they were.')
      },
    }
  }, [client, queryClient, trpc])
}
