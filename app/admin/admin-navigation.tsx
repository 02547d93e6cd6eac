'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'use-intl/react'
import { adminPlacesFor } from '#app/shell/places.ts'
import { useSession } from '#app/shell/session.tsx'
import { LinkProgress } from '#app/ui/link-progress.tsx'

/** The navigation between admin pages. */
export function AdminNavigation() {
  const t = useTranslations('shell')
  const { account } = useSession()
  const pathname = usePathname()
  if (!account) return null
  return (
    <nav aria-label={t('administration')} className="border-b border-line">
      <div className="mx-auto flex max-w-5xl gap-1 overflow-x-auto px-2.5 sm:px-3.5">
        {adminPlacesFor(account).map(({ href, name }) => (
          <Link
            key={href}
            href={href}
            prefetch={false}
            ref={pathname.startsWith(href) ? bringIntoView : undefined}
            aria-current={pathname.startsWith(href) ? 'page' : undefined}
            className="-mb-px flex h-11 shrink-0 items-center whitespace-nowrap border-b-2 border-transparent px-2.5 text-sm font-medium text-ink-soft hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-ink aria-[current=page]:text-ink"
          >
            {t(name)}
            <LinkProgress />
          </Link>
        ))}
      </div>
    </nav>
  )
}

/**
 * On a narrow screen the last links lie outside the visible part. scrollIntoView would also move the starting point of
 * the first Tab.
 */
function bringIntoView(place: HTMLElement | null): void {
  const row = place?.parentElement
  if (!row) return
  const beyond = place.getBoundingClientRect().right - row.getBoundingClientRect().right
  if (beyond > 0) row.scrollLeft += Math.ceil(beyond)
}
