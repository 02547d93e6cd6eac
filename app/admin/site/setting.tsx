'use client'

import { Lock, RotateCcw } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from '#app/ui/icon-button.tsx'
import type { Setting, SiteView, Texts } from './types.ts'

interface Form {
  readonly view: SiteView
  /** Changes that are not saved; an empty text is the default. */
  readonly edited: Texts
  readonly invalid: readonly string[]
  /** Whether the reader may change nothing. */
  readonly isReadOnly: boolean
  change(setting: Setting, text: string): void
}

const FormContext = createContext<Form | null>(null)
export const SiteForm = FormContext.Provider

/** What a field shows of a setting, and how it changes it. */
export function useSetting(setting: Setting) {
  const t = useTranslations('adminSite')
  const form = useContext(FormContext)
  if (!form) throw new Error('useSetting outside of SiteForm')
  const { view, edited, invalid, isReadOnly } = form
  const text = edited[setting] ?? view.texts[setting] ?? ''
  const isLocked = view.locked.includes(setting)
  return {
    view,
    isEdited: Object.keys(edited).length > 0,
    isReadOnly,
    text,
    /** What is in force if it is left as it is; empty for nothing. */
    value: text || (view.defaults[setting] ?? ''),
    defaultText: view.defaults[setting] ?? '',
    isLocked,
    isDisabled: isLocked || isReadOnly,
    isDefault: text === '',
    error: invalid.includes(setting) ? t('invalid') : null,
    change: (next: string) => form.change(setting, next),
  }
}

/** A setting with its field: the name of the variable that locks it, or a button that returns it to its default. */
export function SettingRow({ setting, label, children }: { setting: Setting; label: string; children: ReactNode }) {
  const t = useTranslations('adminSite')
  const { isLocked, isDisabled, isDefault, change } = useSetting(setting)
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        {children}
        {isLocked && (
          <p className="mt-1.5 flex items-center gap-1.5 text-sm text-ink-soft">
            <Lock size={14} aria-hidden="true" className="shrink-0" />
            <span className="min-w-0 break-words">
              {t.rich('locked', {
                setting,
                code: (text) => <code className="font-mono text-[0.8125rem]">{text}</code>,
              })}
            </span>
          </p>
        )}
      </div>
      <span className="mt-6.5 size-10 shrink-0">
        {!isDisabled && !isDefault && (
          <IconButton label={t('reset', { label })} onPress={() => change('')}>
            <RotateCcw size={17} />
          </IconButton>
        )}
      </span>
    </div>
  )
}
