'use client'

import { useTranslations } from 'use-intl/react'
import { Wordmark } from '#app/ui/mark.tsx'
import { accentShades } from '#format/accent.ts'
import { spelledColour } from './accent-setting.tsx'
import { useSetting } from './setting.tsx'
import { readSiteImage } from './site-image.ts'

/** The header and the footer as they will be, in light and dark. */
export function Preview() {
  const t = useTranslations('adminSite')
  return (
    <section aria-labelledby="preview" className="flex flex-col gap-3">
      <h2 id="preview" className="text-lg font-semibold">
        {t('preview')}
      </h2>
      <div className="grid gap-3 sm:grid-cols-2">
        <Sample scheme="light" label={t('light')} />
        <Sample scheme="dark" label={t('dark')} />
      </div>
    </section>
  )
}

/** The colours of app/styles.css, which are those of the whole page there. */
const grounds = {
  light: {
    ...{
      '--color-ground': '#f7fafa',
      '--color-ink': '#161f24',
      '--color-ink-soft': '#4a5559',
      '--color-line': '#dbe1e1',
    },
    ...{ '--color-sunken': '#eef1f1', '--color-water': '#006b7a', '--color-water-soft': '#d8f0f3' },
    '--color-on-water': '#ffffff',
  },
  dark: {
    ...{
      '--color-ground': '#0c1215',
      '--color-ink': '#eef2f2',
      '--color-ink-soft': '#a5b0b3',
      '--color-line': '#2a3337',
    },
    ...{ '--color-sunken': '#060b0d', '--color-water': '#6bcdd6', '--color-water-soft': '#11353d' },
    '--color-on-water': '#0d1418',
  },
}

function accentIn(scheme: 'light' | 'dark', colour: string | null): object {
  if (colour === null) return {}
  const { accent, soft } = accentShades(colour)
  return { '--color-water': accent[scheme], '--color-water-soft': soft[scheme] }
}

function Sample({ scheme, label }: { scheme: 'light' | 'dark'; label: string }) {
  const t = useTranslations('adminSite')
  const name = useSetting('SLUICE_NAME').value
  const tagline = useSetting('SLUICE_TAGLINE').value
  const accent = useSetting('SLUICE_ACCENT').value
  const logo = readSiteImage('logo', useSetting('logo').value)
  const icon = readSiteImage('icon', useSetting('icon').value)
  return (
    <figure className="flex min-w-0 flex-col gap-1.5">
      <figcaption className="text-sm text-ink-soft">{label}</figcaption>
      <div
        style={{ colorScheme: scheme, ...grounds[scheme], ...accentIn(scheme, spelledColour(accent)) }}
        className="overflow-hidden rounded-lg border border-line bg-ground text-ink"
      >
        <div className="flex h-14 items-center gap-4 border-b border-line px-4">
          <Wordmark name={name} logo={logo} />
          <span className="ml-auto shrink-0 rounded-md bg-ink px-3 py-1.5 text-sm font-medium text-ground">
            {t('sampleButton')}
          </span>
        </div>
        <div className="flex flex-col gap-3 p-4 text-sm">
          <div className="h-1.5 overflow-hidden rounded-full bg-sunken">
            <div className="h-full w-2/3 rounded-full bg-water" />
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <span className="text-water underline underline-offset-4">{t('sampleLink')}</span>
            <span className="rounded-sm bg-water px-2 py-0.5 text-on-water">{t('sampleSelected')}</span>
            <span className="rounded-sm bg-water-soft px-2 py-0.5 text-water">{t('sampleTag')}</span>
            {icon && <img src={icon.url} alt={t('label.icon')} width={24} height={24} className="ml-auto rounded-sm" />}
          </div>
          {tagline && <p className="border-t border-line pt-3 break-words text-ink-soft">{tagline}</p>}
        </div>
      </div>
    </figure>
  )
}
