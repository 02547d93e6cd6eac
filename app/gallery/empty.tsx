'use client'

import { FolderUp, Upload } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Mark } from '#app/ui/mark.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { UploadTrigger } from '#app/upload/upload-button.tsx'
import { EmptyList } from './empty-list.tsx'
import type { ListScope } from './list-place.ts'

/** The placeholder of an empty list. The user's own invites uploads; touch devices are not asked to drop files. */
export function Empty({ scope }: { scope: ListScope }) {
  const t = useTranslations('gallery')
  const format = useFormat()
  const { account, maxUploadBytes } = useSession()
  if (scope !== 'mine' || !account) {
    return <EmptyList>{scope === 'gallery' ? t('emptyPublic') : t('emptyAll')}</EmptyList>
  }
  return (
    <div className="flex min-h-[58vh] flex-col items-center justify-center gap-5 rounded-lg border-2 border-dashed border-line px-6 py-12 text-center">
      <Mark className="size-14" />
      <div>
        <h2 className="text-xl font-semibold">
          <span className="pointer-coarse:hidden">{t('dropHere')}</span>
          <span className="hidden pointer-coarse:inline">{t('emptyMine')}</span>
        </h2>
        <p className="mt-1.5 text-balance text-ink-soft">
          <span className="pointer-coarse:hidden">
            {t('dropHint')}
            <br />
          </span>
          {t.rich('accepted', {
            size: format.bytes(maxUploadBytes),
            nowrap: (text) => <span className="whitespace-nowrap">{text}</span>,
          })}
        </p>
      </div>
      <UploadTrigger>
        {(open) => (
          <div className="flex flex-wrap justify-center gap-2">
            <Button tone="primary" onPress={open.files}>
              <Upload size={17} /> {t('chooseFiles')}
            </Button>
            <Button onPress={open.folder} className="pointer-coarse:hidden">
              <FolderUp size={17} /> {t('chooseFolder')}
            </Button>
          </div>
        )}
      </UploadTrigger>
    </div>
  )
}
