'use client'

import { ChevronDown, Link2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { setLinkFormat, useLinkFormat } from './link-format.ts'
import { type Linked, linkFormats, writeLink } from './snippets.ts'

/** Copies the image's link, in a format that is chosen beside it and shown below. */
export function CopyLink({ image, onCopy }: { image: Linked; onCopy: () => void }) {
  const t = useTranslations('image')
  const format = useLinkFormat()
  const choose = (value: string) => {
    const chosen = linkFormats.find((each) => each === value)
    if (chosen) setLinkFormat(chosen)
  }
  return (
    <div className="w-full overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex gap-px noscript:hidden">
        <Button tone="primary" onPress={onCopy} className="min-w-0 flex-1 rounded-none px-2">
          <Link2 size={17} /> {t('copyLink')}
        </Button>
        <span className="relative min-w-0 bg-ink text-ground hover:bg-ink/85">
          <select
            aria-label={t('linkFormat')}
            value={format}
            onChange={({ target }) => choose(target.value)}
            className="h-10 w-full cursor-pointer appearance-none truncate bg-transparent pr-8 pl-3 text-sm font-medium focus-visible:-outline-offset-4"
          >
            {linkFormats.map((each) => (
              <option key={each} value={each} className="bg-raised text-ink">
                {t(`linkName.${each}`)}
              </option>
            ))}
          </select>
          <ChevronDown size={16} aria-hidden="true" className="pointer-events-none absolute top-3 right-2.5" />
        </span>
      </div>
      <input
        readOnly
        aria-label={t('linkText')}
        dir="ltr"
        value={writeLink(image, format).replace(/\n\s*/g, ' ')}
        onFocus={({ currentTarget }) => currentTarget.select()}
        className="h-9 w-full truncate bg-transparent px-3 font-mono text-[0.8125rem] text-ink-soft focus-visible:-outline-offset-2"
      />
    </div>
  )
}
