import type { ImageItem } from '#app/connection/trpc.ts'
import { NOTHING, type Selected } from './selected.ts'

/** More are not kept over a reload: browsers keep about five megabytes. */
const MOST_STORED = 1000

interface Kept {
  readonly list: string
  readonly selected: Selected
}

/** The selections of history entries, by the names that these keep. */
const selections = new Map<string, Kept>()

const storageKey = (name: string) => `sluice-selection-${name}`

/** Keeps the selection of a list in its history entry: going back and reloading find it again. */
export const keptSelection = (list: string) => ({
  read(): Selected {
    const name: unknown = window.history.state?.selection
    if (typeof name !== 'string') return NOTHING
    const kept = selections.get(name) ?? readStored(name)
    return kept?.list === list ? kept.selected : NOTHING
  },
  write(selected: Selected): void {
    const known: unknown = window.history.state?.selection
    if (typeof known !== 'string' && selected.size === 0) return
    const name = typeof known === 'string' ? known : String(Math.random()).slice(2)
    selections.set(name, { list, selected })
    if (name !== known) window.history.replaceState({ ...window.history.state, selection: name }, '')
  },
  /** Stores the selection before the page is left. */
  store(): void {
    const name: unknown = window.history.state?.selection
    const kept = typeof name === 'string' ? selections.get(name) : undefined
    if (typeof name !== 'string' || !kept) return
    try {
      if (kept.selected.size === 0 || kept.selected.size > MOST_STORED) sessionStorage.removeItem(storageKey(name))
      else sessionStorage.setItem(storageKey(name), JSON.stringify({ list, items: [...kept.selected.values()] }))
    } catch {
      // Full or forbidden: the selection is not kept.
    }
  },
})

function readStored(name: string): Kept | null {
  try {
    const stored: { list: string; items: ImageItem[] } | null = JSON.parse(
      sessionStorage.getItem(storageKey(name)) ?? 'null',
    )
    return stored && { list: stored.list, selected: new Map(stored.items.map((item) => [item.id, item])) }
  } catch {
    return null
  }
}
