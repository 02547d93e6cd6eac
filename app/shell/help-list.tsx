'use client'

import { useTranslations } from 'use-intl/react'

const shortcuts = [
  ['u', 'keyUpload'],
  ['Ctrl+V', 'keyPaste'],
  ['/', 'keySearch'],
  ['← ↑ → ↓', 'keyMove'],
  ['Space', 'keySelect'],
  ['Ctrl+A', 'keySelectAll'],
  ['c', 'keyCopy'],
  ['f', 'keyFavourite'],
  ['Delete', 'keyDelete'],
  ['+ − 0 1', 'keyZoom'],
  ['w', 'keyWidth'],
  ['s', 'keyFull'],
  ['Enter', 'keyOpen'],
  ['Esc', 'keyBack'],
  ['?', 'keyHelp'],
] as const

/** Every shortcut. */
export default function HelpList() {
  const t = useTranslations('shell')
  return (
    <dl className="grid grid-cols-[max-content_1fr] items-baseline gap-x-5 gap-y-2 text-sm">
      {shortcuts.map(([keys, meaning]) => (
        <div key={keys} className="contents">
          <dt>
            <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs">{keys}</kbd>
          </dt>
          <dd>{t(meaning)}</dd>
        </div>
      ))}
    </dl>
  )
}
