import type { ReactNode } from 'react'

interface Props {
  /** For the page's navigation. */
  id: string
  title: string
  lead: string
  children: ReactNode
}

/** A part of the account page. */
export function Section({ id, title, lead, children }: Props) {
  return (
    <section
      id={id}
      className="grid scroll-mt-28 lg:scroll-mt-16 gap-x-8 gap-y-4 border-t border-line py-7 first-of-type:border-t-0 md:grid-cols-[12rem_minmax(0,1fr)]"
    >
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-ink-soft">{lead}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
