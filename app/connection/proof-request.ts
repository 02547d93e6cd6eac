import { useSyncExternalStore } from 'react'

/** A question to the user that calls are waiting for. */
interface ProofRequest {
  readonly given: Promise<boolean>
  /** Ends it with whether the proof was given. */
  end(isGiven: boolean): void
}

let pending: ProofRequest | null = null
const listeners = new Set<() => void>()

function change(next: ProofRequest | null): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Asks the user to prove who they are; all calls that need it meanwhile share the question. Resolves with whether they did, false at
 *  once where nothing can ask. */
export function askForProof(): Promise<boolean> {
  if (pending) return pending.given
  if (listeners.size === 0) return Promise.resolve(false)
  const { promise: given, resolve } = Promise.withResolvers<boolean>()
  const end = (isGiven: boolean) => {
    change(null)
    resolve(isGiven)
  }
  change({ given, end })
  return given
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the question to show; null for none. */
export const useProofRequest = (): ProofRequest | null =>
  useSyncExternalStore(
    listen,
    () => pending,
    () => null,
  )
