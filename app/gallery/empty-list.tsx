import { Mark } from '#app/ui/mark.tsx'

/** The placeholder of a list that the viewer cannot add to. */
export function EmptyList({ children }: { children: string }) {
  return (
    <div className="flex min-h-[50vh] flex-col items-center justify-center gap-3 text-center text-ink-soft">
      <Mark className="size-10" />
      <p>{children}</p>
    </div>
  )
}
