'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
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

    function undo(change: () => Promise<unknown>, told: string): void {
      const failed = (error: unknown) => reportFailure('It could not be put back.', error, () => undo(change, told))
      change()
        .then(refresh)
        .then(() => toast({ title: told }), failed)
    }

    /** Does it, and offers what undoes it. Rejects with what the server answers. */
    async function change(
      run: () => Promise<unknown>,
      said: { done: string; undone: string },
      back: () => Promise<unknown>,
    ) {
      await run()
      await refresh()
      toast({ title: said.done, action: { label: 'Undo', run: () => undo(back, said.undone) } })
    }

    return {
      /** Null removes the budget. */
      set(place: Place, limit: number | null, before: number | null) {
        const name = budgetWords(place)
        const done = limit === null ? `There is no budget for “${name}” any more.` : `The budget for “${name}” holds.`
        const put = (value: number | null) => () => client.budget.set.mutate({ ...place, limit: value })
        return change(put(limit), { done, undone: `The budget for “${name}” is as it was.` }, put(before))
      },
      setFreeTier(on: boolean) {
        const done = on ? 'What is free is the most that is used.' : 'The free allowances are no budgets any more.'
        const put = (value: boolean) => () => client.budget.setFreeTier.mutate({ on: value })
        return change(put(on), { done, undone: 'The free allowances are as they were.' }, put(!on))
      },
      /** Null for the published ones. */
      setPrices(prices: Prices | null, before: Prices | null) {
        const done = prices ? 'These prices hold from now on.' : 'The published prices hold again.'
        const put = (value: Prices | null) => () => client.budget.setPrices.mutate({ prices: value })
        return change(put(prices), { done, undone: 'The prices are as they were.' }, put(before))
      },
    }
  }, [client, queryClient, trpc])
}
