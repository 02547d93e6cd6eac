import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import type { Translate } from '#app/ui/translate.ts'

interface Change<T> {
  /** Reloads what the page shows. */
  readonly refresh: () => Promise<unknown>
  readonly run: () => Promise<T>
  /** A sentence about the change, from its result. */
  readonly done: (result: T) => string
  /** None for a change that cannot be undone. */
  readonly undo?: ((result: T) => Promise<unknown>) | undefined
}

/** Makes a change and offers to undo it, where it can be. Rejects if the server refuses the change. */
export async function changeWithUndo<T>(
  tAdmin: Translate<'admin'>,
  { refresh, run, done, undo }: Change<T>,
): Promise<void> {
  const result = await run()
  await refresh()
  if (!undo) {
    toast({ title: done(result) })
    return
  }
  const runUndo = (): void => {
    undo(result)
      .then(refresh)
      .then(
        () => toast({ title: tAdmin('undone') }),
        (error) => reportFailure(tAdmin('undoFailed'), error, runUndo),
      )
  }
  toast({ title: done(result), action: { label: tAdmin('undo'), run: runUndo } })
}
