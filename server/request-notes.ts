import { AsyncLocalStorage } from 'node:async_hooks'

/** What is learned of a request while it is answered, for its line in the log. */
export interface RequestNotes {
  readonly requestId: string
  /** The client's address as limits count it. */
  readonly address: string
  /** Of the trace that the request belongs to; null without one. */
  readonly traceId: string | null
  /** Who has sent it; null for a guest. */
  userId: string | null
}

const present = new AsyncLocalStorage<RequestNotes>()

/** Runs `work` as a part of the request. */
export const withNotes = <T>(notes: RequestNotes, work: () => T): T => present.run(notes, work)

/** Returns the ID of the present request; undefined outside of one. */
export const presentRequest = (): string | undefined => present.getStore()?.requestId

/** Notes who has sent the present request, if any. */
export function noteUser(userId: string | null): void {
  const notes = present.getStore()
  if (notes && userId !== null) notes.userId = userId
}
