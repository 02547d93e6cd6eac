/** Stands between two ways to do the same. */
export function Or({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-3 text-sm text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </p>
  )
}
