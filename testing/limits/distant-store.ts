import type { LimitStore, Operation, Receipt } from '#server/limits/store.ts'

interface Way {
  /** Whether the store is unavailable now. */
  readonly isGone?: () => boolean
  /** Awaited by an operation before its receipt is returned. */
  readonly back?: (operation: Operation) => Promise<void>
}

/** A remote store: its receipts arrive in a later turn, and its clock differs from this process's. */
export function distantStore(
  store: LimitStore,
  here: { now(): number },
  { isGone = () => false, back = async () => {} }: Way = {},
): LimitStore {
  return {
    apply: async (operation): Promise<Receipt> => {
      if (isGone()) throw new Error('gone')
      const answered = store.apply(operation)
      await back(operation)
      const receipt = await answered
      const lines = receipt.lines.map((line) => ({ ...line, at: { ...line.at, here: here.now() } }))
      return { ...receipt, lines }
    },
    close: () => store.close(),
  }
}
