import type { Outputs } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'

/** What rules would do that is probably not meant. */
export type Warning = Outputs['limits']['override']['warnings'][number]

/** What is stored at a place: an override, a trial or an added set. */
interface Stored {
  readonly changedAt: string
  readonly changedBy: string | null
}

/** A place of the limits, how it is read and written, and what is said of it. */
export interface Slot<Item extends Stored, Content> {
  /** Returns what is stored there, and updates the list on the page. */
  readonly read: () => Promise<Item | null>
  /** Null removes it. */
  readonly write: (content: Content | null) => Promise<unknown>
  /** Returns what the rules would do that is probably not meant. */
  readonly check: (content: Content) => Promise<readonly Warning[]>
  /** Returns what an undo writes; null for what this version of the code cannot read. */
  readonly contentOf: (item: Item) => Content | null
  readonly say: {
    readonly saved: (before: Item | null) => string
    readonly cleared: string
    readonly clearFailed: string
    readonly undo: string
    readonly undone: string
    readonly undoFailed: string
    /** Somebody else has changed it in the meantime. */
    readonly kept: string
  }
}

export interface Saved<Item> {
  readonly isSaved: boolean
  /** Then nothing is saved, unless these were seen. */
  readonly warnings: readonly Warning[]
  /** What is stored now. */
  readonly now: Item | null
}

/** Whether nobody has changed it in between. */
export const isSame = (a: Stored | null, b: Stored | null): boolean =>
  a?.changedAt === b?.changedAt && a?.changedBy === b?.changedBy

/** Saves unless someone else has changed the place since it was `shown`, or there are warnings that were not `seen`; offers an undo.
 *  Throws the server's error. */
export async function saveSlot<Item extends Stored, Content>(
  slot: Slot<Item, Content>,
  content: Content,
  { shown, seen }: { readonly shown: Item | null; readonly seen: boolean },
): Promise<Saved<Item>> {
  const found = await slot.read()
  if (!isSame(found, shown)) return { isSaved: false, warnings: [], now: found }
  const warnings = seen ? [] : await slot.check(content)
  if (warnings.length > 0) return { isSaved: false, warnings, now: found }
  const now = await put(slot, content)
  toast({ title: slot.say.saved(shown), action: undoOf(slot, shown && slot.contentOf(shown), now) })
  return { isSaved: true, warnings, now }
}

/** Removes what was `shown`, unless someone else has changed it since; offers an undo. */
export async function clearSlot<Item extends Stored, Content>(slot: Slot<Item, Content>, shown: Item): Promise<void> {
  const { say } = slot
  try {
    if (!isSame(await slot.read(), shown)) return void toast({ title: say.kept })
    const now = await put(slot, null)
    const before = slot.contentOf(shown)
    toast({ title: say.cleared, ...(before && { action: undoOf(slot, before, now) }) })
  } catch (error) {
    reportFailure(say.clearFailed, error, () => clearSlot(slot, shown))
  }
}

/** Puts back what was there before a change, if that is still the last one. */
export async function undoSlot<Item extends Stored, Content>(
  slot: Slot<Item, Content>,
  before: Content | null,
  isLast: (now: Item | null) => boolean,
): Promise<void> {
  const { say } = slot
  try {
    if (!isLast(await slot.read())) return void toast({ title: say.kept })
    await put(slot, before)
    toast({ title: say.undone })
  } catch (error) {
    reportFailure(say.undoFailed, error, () => undoSlot(slot, before, isLast))
  }
}

async function put<Item extends Stored, Content>(slot: Slot<Item, Content>, content: Content | null) {
  await slot.write(content)
  return slot.read()
}

const undoOf = <Item extends Stored, Content>(slot: Slot<Item, Content>, before: Content | null, now: Item | null) => ({
  label: slot.say.undo,
  run: () => void undoSlot(slot, before, (later) => isSame(later, now)),
})
