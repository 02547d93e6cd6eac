'use client'

import { CircleUser, Plus } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Button } from 'react-aria-components'
import { UploadTrigger } from '#app/upload/upload-button.tsx'
import { isCurrent, placesFor } from './places.ts'
import { useAccount } from './session.tsx'

const tab =
  'flex flex-1 flex-col items-center justify-center gap-0.5 text-[0.6875rem] font-medium text-ink-soft aria-[current=page]:text-ink'

/** The way around on a phone, under the thumb. */
export function TabBar() {
  const account = useAccount()
  const pathname = usePathname()
  const places = [...placesFor(account), { href: '/account', label: 'Account', icon: CircleUser }]
  const [first, ...rest] = places.map(({ href, label, icon: Icon }) => (
    <Link
      key={href}
      href={href}
      prefetch={false}
      aria-current={isCurrent(href, pathname) ? 'page' : undefined}
      className={tab}
    >
      <Icon size={21} strokeWidth={1.8} />
      {label}
    </Link>
  ))
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 flex h-16 items-stretch border-t border-line bg-ground/95 px-1 pb-[env(safe-area-inset-bottom)] backdrop-blur-md sm:hidden"
    >
      {first}
      <UploadTrigger>
        <Button className={tab}>
          <span className="grid size-7 place-items-center rounded-full bg-ink text-ground">
            <Plus size={18} />
          </span>
          Upload
        </Button>
      </UploadTrigger>
      {rest}
    </nav>
  )
}
