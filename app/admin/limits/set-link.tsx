import type { ReactNode } from 'react'

/** A link to a rule set on the page. */
export function SetLink({ name, children = name }: { name: string; children?: ReactNode }) {
  return (
    <a href={`#set-${name}`} className="rounded-sm text-water hover:underline">
      {children}
    </a>
  )
}
