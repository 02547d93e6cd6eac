'use client'

import { useTranslations } from 'use-intl/react'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { makeSnippets } from './snippets.ts'

interface Props {
  /** The URL of the image's page. */
  page: string
  url: string
  title: string
  width: number
  height: number
}

/** The link to the image's page and the image's own link in four formats, each with a copy button. */
export function ShareLinks({ page, ...image }: Props) {
  const t = useTranslations('image')
  return (
    <ul className="overflow-hidden rounded-md border border-line bg-surface">
      {[{ format: 'page', text: page } as const, ...makeSnippets(image)].map(({ format, text }) => (
        <li key={format} className="flex h-10 items-center gap-3 border-line pr-1 pl-3 not-last:border-b">
          <span className="w-18 shrink-0 text-sm">{t(`linkName.${format}`)}</span>
          <code dir="ltr" className="min-w-0 flex-1 truncate font-mono text-[0.8125rem] text-ink-soft">
            {text}
          </code>
          <CopyButton text={text} label={t(`copyLink.${format}`)} />
        </li>
      ))}
    </ul>
  )
}
