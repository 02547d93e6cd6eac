'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'

/** What somebody without albums sees: three framed pictures, what albums are for, and how to make one. */
export function EmptyAlbums({ children }: { children: ReactNode }) {
  const t = useTranslations('albums')
  return (
    <div className="flex min-h-[58vh] flex-col items-center justify-center gap-5 rounded-lg border-2 border-dashed border-line px-6 py-12 text-center">
      <Frames />
      <div>
        <h2 className="text-xl font-semibold">{t('emptyTitle')}</h2>
        <p className="mt-1.5 max-w-md text-balance text-ink-soft">{t('emptyText')}</p>
      </div>
      {children}
    </div>
  )
}

function Frames() {
  return (
    <svg viewBox="0 0 176 112" className="w-44" aria-hidden="true">
      <g className="fill-surface stroke-line-strong" strokeWidth="2">
        <rect x="14" y="26" width="72" height="60" rx="6" transform="rotate(-10 50 56)" />
        <rect x="90" y="26" width="72" height="60" rx="6" transform="rotate(10 126 56)" />
        <rect x="44" y="14" width="88" height="74" rx="7" />
      </g>
      <rect x="52" y="22" width="72" height="58" rx="3" className="fill-water-soft" />
      <circle cx="106" cy="37" r="6" className="fill-gate" />
      <path d="M52 72l20-22 15 15 11-9 26 20v1a3 3 0 0 1-3 3H55a3 3 0 0 1-3-3z" className="fill-water" />
    </svg>
  )
}
