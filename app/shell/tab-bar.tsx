'use client'

import { CircleUser, Plus } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'use-intl/react'
import { PlainButton } from '#app/ui/button.tsx'
import { LinkProgress } from '#app/ui/link-progress.tsx'
import { UploadTrigger } from '#app/upload/upload-button.tsx'
import { isCurrent, type NavigationPlace, placesFor } from './places.ts'
import { useAccount } from './session.tsx'

const tab =
  'flex flex-1 flex-col items-center justify-center gap-0.5 text-[0.6875rem] font-medium text-ink-soft aria-[current=page]:text-ink'

/** The main navigation on phones. */
export function TabBar() {
  const t = useTranslations('shell')
  const account = useAccount()
  const pathname = usePathname()
  const places: readonly NavigationPlace[] = [
    ...placesFor(account),
    { href: '/account', name: 'account', icon: CircleUser },
  ]
  const [first, ...rest] = places.map(({ href, name, icon: Icon }) => (
    <Link
      key={href}
      href={href}
      prefetch={false}
      aria-current={isCurrent(href, pathname) ? 'page' : undefined}
      className={tab}
    >
      <Icon size={21} strokeWidth={1.8} />
      {t(name)}
      <LinkProgress />
    </Link>
  ))
  return (
    <nav
      aria-label={t('main')}
      className="fixed inset-x-0 bottom-0 z-20 flex h-16 items-stretch border-t border-line bg-ground/95 px-1 pb-[env(safe-area-inset-bottom)] backdrop-blur-md [visibility:var(--tabs)] sm:hidden"
    >
      {first}
      <UploadTrigger>
        {(open) => (
          <PlainButton className={tab} onPress={open.files}>
            <span className="-my-0.75 grid size-7 place-items-center rounded-full bg-ink text-ground">
              <Plus size={18} />
            </span>
            {t('upload')}
          </PlainButton>
        )}
      </UploadTrigger>
      {rest}
    </nav>
  )
}
