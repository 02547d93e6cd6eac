'use client'

import { useTranslations } from 'use-intl/react'
import { Notice } from '#app/ui/notice.tsx'
import type { SentFile } from '#server/http/upload/answers/sent-cookie.ts'
import { GuestLinks } from './guest-links.tsx'

/** What a form without script has sent. */
export function SentFiles({ files, origin }: { files: readonly SentFile[]; origin: string }) {
  const t = useTranslations('guestUpload')
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-sm font-semibold">{t('yours')}</h2>
      <p className="text-sm text-ink-soft">{t('keep')}</p>
      <ul aria-label={t('yours')} className="flex flex-col gap-3">
        {files.map((file) => (
          <li
            key={'slug' in file ? file.slug : `${file.name} ${file.problem}`}
            className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
          >
            <p dir="auto" className="font-medium wrap-anywhere">
              {file.name}
            </p>
            {'problem' in file ? (
              <Notice tone="danger">{file.problem}</Notice>
            ) : (
              <GuestLinks
                page={`${origin}/image/${file.slug}`}
                deletion={`${origin}/delete/${file.link}`}
                endsAt={file.endsAt}
                awaits={file.awaits}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
