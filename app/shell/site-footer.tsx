'use client'

import { useSession } from './session.tsx'

/** The site's line of text and links; nothing where it has neither. */
export function SiteFooter({ className = '' }: { className?: string }) {
  const { tagline, footer } = useSession().site
  if (!tagline && footer.length === 0) return null
  return (
    <footer
      className={`flex flex-wrap items-baseline gap-x-6 gap-y-2 border-t border-line px-4 py-5 text-sm text-ink-soft sm:px-6 ${className}`}
    >
      {tagline && <p className="max-w-prose min-w-0 break-words">{tagline}</p>}
      <SiteLinks />
    </footer>
  )
}

/** The site's own links, such as an imprint. */
export function SiteLinks() {
  const { footer } = useSession().site
  if (footer.length === 0) return null
  return (
    <ul className="flex min-w-0 flex-wrap gap-x-5 gap-y-2">
      {footer.map(({ label, url }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two links may be the same
        <li key={at} className="min-w-0">
          <a href={url} rel="noreferrer" className="break-words underline underline-offset-4 hover:text-ink">
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
