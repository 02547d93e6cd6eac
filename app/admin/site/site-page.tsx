'use client'

import type { FormEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { changedSettings } from './edit.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { Preview } from './preview.tsx'
import { Providers } from './providers/providers.tsx'
import { SaveBar } from './save-bar.tsx'
import { Sections } from './sections.tsx'
import { SiteForm } from './setting.tsx'
import { useSiteEdit } from './use-site-edit.ts'

/** The site's settings, with a preview. Admins see what superadmins change. */
export function SitePage() {
  const t = useTranslations('adminSite')
  const { role } = useAccount()
  const isReadOnly = role !== 'superadmin'
  const { query, view, edit, invalid, conflict, failure, isSaving, change, discard, save } = useSiteEdit()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <div className="mx-auto max-w-5xl px-4 pb-4 sm:px-6">
      <div className="py-6">
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">{t('title')}</h1>
        <p className="text-sm text-ink-soft">
          {view?.changedAt
            ? t.rich('changed', {
                username: view.changedBy ?? '',
                date: () => <LocalDate iso={view.changedAt ?? ''} />,
              })
            : t('unchanged')}
        </p>
      </div>
      {query.isPending && <Skeleton className="h-96 w-full" />}
      <QueryStanding query={query} />
      {view && (
        <SiteForm value={{ view, edited: edit?.texts ?? {}, invalid, isReadOnly, change }}>
          <form onSubmit={submit} className="flex flex-col gap-8">
            {isReadOnly && <Notice>{t('readOnly')}</Notice>}
            <Preview />
            <div>
              <Sections />
            </div>
            {edit && (
              <SaveBar
                count={changedSettings(edit).length}
                isSaving={isSaving}
                failure={failure}
                hasInvalid={invalid.length > 0}
                conflict={conflict}
                onDiscard={discard}
              />
            )}
          </form>
          <LeaveGuard isChanged={edit !== null} />
          <Providers isReadOnly={isReadOnly} />
        </SiteForm>
      )}
    </div>
  )
}
