import { Flag } from 'lucide-react'
import type { ReactNode } from 'react'

/** Leads to the form that reports what a page shows. A plain link: the form works without script. */
export function ReportLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      rel="nofollow"
      className="inline-flex w-fit items-center gap-1.5 text-sm text-ink-soft underline-offset-4 hover:text-ink hover:underline"
    >
      <Flag size={14} aria-hidden="true" /> {children}
    </a>
  )
}
