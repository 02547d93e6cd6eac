'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { type DraftLink, MOST_LINKS, parseLinks, spellLinks } from './links.ts'
import { SettingRow, useSetting } from './setting.tsx'

/** The links of the footer: a label and an address each. */
export function LinksSetting() {
  const t = useTranslations('adminSite')
  const { text, isDisabled, error, change } = useSetting('SLUICE_FOOTER')
  const [draft, setDraft] = useState(() => ({ text, links: parseLinks(text) }))
  // Rows that are not complete have no text, so they are kept here until another text comes from outside.
  const links = draft.text === text ? draft.links : parseLinks(text)
  const edit = (next: readonly DraftLink[]) => {
    setDraft({ text: spellLinks(next), links: next })
    change(spellLinks(next))
  }
  const editOne = (at: number, part: Partial<DraftLink>) =>
    edit(links.map((link, index) => (index === at ? { ...link, ...part } : link)))
  return (
    <SettingRow setting="SLUICE_FOOTER" label={t('label.footer')}>
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-1.5 text-sm font-medium">{t('label.footer')}</legend>
        {links.map((link, at) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            key={at}
            className="grid grid-cols-[minmax(0,1fr)_2.5rem] items-end gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_2.5rem]"
          >
            <Field
              label={t('linkLabel')}
              value={link.label}
              onChange={(label) => editOne(at, { label })}
              isDisabled={isDisabled}
              maxLength={40}
            />
            <div className="max-sm:col-start-1">
              <Field
                label={t('linkAddress')}
                value={link.url}
                onChange={(url) => editOne(at, { url })}
                placeholder={t('linkExample')}
                isDisabled={isDisabled}
                isVerbatim
                inputMode="url"
              />
            </div>
            <IconButton
              label={t('removeLink', { label: link.label || t('linkUnnamed') })}
              isDisabled={isDisabled}
              onPress={() => edit(links.filter((_, index) => index !== at))}
              className="mb-1"
            >
              <Trash2 size={17} />
            </IconButton>
          </div>
        ))}
        <p className={`text-sm ${error ? 'text-danger' : 'text-ink-soft'}`}>
          {error && `${error} `}
          {t('hint.footer')}
        </p>
        {!isDisabled && links.length < MOST_LINKS && (
          <Button size="small" className="self-start" onPress={() => edit([...links, { label: '', url: '' }])}>
            <Plus size={16} aria-hidden="true" /> {t('addLink')}
          </Button>
        )}
      </fieldset>
    </SettingRow>
  )
}
