import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'

/** What is said of a change, and what takes it back. */
interface Way {
  readonly done: string
  readonly undone: string
  readonly back: () => Promise<unknown>
}

/** Makes a change whose way back is known from its answer, and offers that; rejects with what the server says. `refresh` reads anew. */
export async function changeWithUndo<T>(
  refresh: () => Promise<unknown>,
  change: () => Promise<T>,
  wayOf: (answer: T) => Way,
): Promise<void> {
  const { done, undone, back } = wayOf(await change())
  await refresh()
  toast({ title: done, action: { label: 'Undo', run: () => undo(refresh, back, undone) } })
}

function undo(refresh: () => Promise<unknown>, back: () => Promise<unknown>, undone: string): void {
  const again = () => undo(refresh, back, undone)
  back()
    .then(refresh)
    .then(
      () => toast({ title: undone }),
      (error) => reportFailure('It could not be put back.', error, again),
    )
}
