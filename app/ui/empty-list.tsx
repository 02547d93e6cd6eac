import type { ReactNode } from 'react'

/** Stands in place of a list without items. */
export function EmptyList({ children }: { children: ReactNode }) {
  return (
    <p className="w-full rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
      {children}
    </p>
  )
}
