'use client'

import { FolderUp, Upload } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { LinkProgress } from '#app/ui/link-progress.tsx'
import { Wordmark } from '#app/ui/mark.tsx'
import { UploadTrigger } from '#app/upload/upload-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { isCurrent, placesFor } from './places.ts'
import { useAccount, useSession } from './session.tsx'

export function Header() {
  const t = useTranslations('shell')
  const { site } = useSession()
  const account = useAccount()
  const pathname = usePathname()
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-ground/92 backdrop-blur-md">
      <div className="flex h-14 items-center gap-6 px-4 sm:px-6">
        <Link href="/" prefetch={false} aria-label={t('home', { name: site.name })} className="min-w-0 rounded-sm">
          <Wordmark name={site.name} logo={site.logo} />
          <LinkProgress />
        </Link>
        <nav aria-label={t('main')} className="hidden h-full items-stretch gap-1 sm:flex">
          {placesFor(account).map(({ href, name }) => (
            <Link
              key={href}
              href={href}
              prefetch={false}
              aria-current={isCurrent(href, pathname) ? 'page' : undefined}
              className="-mb-px flex items-center border-b-2 border-transparent px-2.5 text-sm font-medium text-ink-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:text-ink"
            >
              {t(name)}
              <LinkProgress />
            </Link>
          ))}
        </nav>
        {/* Aligned to its end, so that buttons painted while the HTML arrives would be moved by those that follow. */}
        <div className="ml-auto flex items-center gap-2 not-has-[>[data-end]]:invisible">
          <div className="hidden sm:block">
            <UploadTrigger>
              {(open) => (
                <span className="flex gap-px">
                  <Button
                    tone="primary"
                    size="small"
                    data-upload
                    className="h-9 pointer-fine:rounded-r-none"
                    onPress={open.files}
                  >
                    <Upload size={16} /> {t('upload')}
                  </Button>
                  <IconButton
                    label={t('uploadFolder')}
                    tone="primary"
                    className="h-9 w-9 rounded-l-none pointer-coarse:hidden"
                    onPress={open.folder}
                  >
                    <FolderUp size={16} />
                  </IconButton>
                </span>
              )}
            </UploadTrigger>
          </div>
          <AccountMenu account={account} />
          <span data-end hidden />
        </div>
      </div>
    </header>
  )
}
