import { decide } from '#server/limits/decision.ts'
import { Permit } from '#server/limits/permit.ts'
import { takenIn } from '#server/limits/receipt.ts'
import type { Charge, LimitStore } from '#server/limits/store.ts'

export type Asked = ReturnType<typeof askStore>

/** Requests permits and decisions from a store, as the limiter does. */
export function askStore(store: LimitStore) {
  return {
    take: async (charges: readonly Charge[]) => new Permit(await store.apply({ type: 'take', charges }), store),
    peek: async (charges: readonly Charge[]) => decide(await store.apply({ type: 'peek', charges })),
    reset: async (charges: readonly Charge[]) => void (await store.apply({ type: 'reset', charges })),
    /** Charges a call's keys again at a different cost. */
    force: async ({ receipt }: Permit, cost: number) => {
      const charges = takenIn(receipt).map((charge) => ({ ...charge, cost }))
      await store.apply({ type: 'force', charges, of: receipt })
    },
  }
}
