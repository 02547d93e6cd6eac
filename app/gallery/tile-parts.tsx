import type { ReactNode } from 'react'

/** The name of a tile's image, shown while the pointer or the focus is on it. */
export function TileName({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      dir="auto"
      className="pointer-events-none absolute inset-x-0 bottom-0 truncate bg-linear-to-t from-black/65 to-transparent px-2.5 pt-7 pr-12 pb-2 text-[0.8125rem] font-medium text-white opacity-0 transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100"
    >
      {children}
    </span>
  )
}

export function Badge({ icon, children }: { icon?: ReactNode; children?: string }) {
  return (
    <span className="flex h-5 min-w-0 items-center gap-1 rounded-sm bg-black/55 px-1 text-[0.6875rem] font-medium text-white">
      {icon}
      {children && <span className="truncate px-0.5">{children}</span>}
    </span>
  )
}
