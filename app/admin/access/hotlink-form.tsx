'use client'

import { useId, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { EditConflict } from '#app/limits/edit-conflict.ts'
import { inputClass } from '#app/ui/input-class.ts'
import { Segments } from '#app/ui/segments.tsx'
import { type Hotlink, useAccessActions } from './use-access-actions.ts'

/** Which sites may embed images, and how requests from others are answered. */
export function HotlinkForm({ rule }: { rule: Hotlink }) {
  const t = useTranslations('adminAccess')
  const id = useId()
  const [edit, setEdit] = useState<Edit | null>(null)
  const { saveHotlink } = useAccessActions()
  const { before, sites, ...draft } = edit ?? startEdit(rule)
  const change = (part: Partial<Edit>) => setEdit({ ...draft, sites, before, ...part })
  const save = async () => {
    try {
      await saveHotlink({ ...draft, sites: sites.split(/[\s,]+/).filter(Boolean) }, before)
      setEdit(null)
    } catch (error) {
      if (error instanceof EditConflict) change({ before: error.now })
      throw error
    }
  }
  return (
    <section aria-labelledby="hotlink">
      <h2 id="hotlink" className="text-lg font-semibold">
        {t('embedding')}
      </h2>
      <p className="mb-3 max-w-prose text-sm text-ink-soft">{t('embeddingText')}</p>
      <SettingsForm save={save} className="items-start rounded-lg border border-line bg-surface p-4">
        <Segments
          label={t('embeddingSites')}
          value={draft.isOn ? 'named' : 'all'}
          onChange={(value) => change({ isOn: value === 'named' })}
          options={[
            { value: 'all', label: t('embeddingAll') },
            { value: 'named', label: t('embeddingListed') },
          ]}
        />
        {draft.isOn && (
          <>
            <div className="flex w-full max-w-xl flex-col gap-1.5">
              <label htmlFor={id} className="text-sm font-medium">
                {t('sites')}
              </label>
              <textarea
                id={id}
                value={sites}
                onChange={(event) => change({ sites: event.target.value })}
                rows={5}
                autoCapitalize="none"
                spellCheck={false}
                aria-describedby={`${id}-hint`}
                className={`${inputClass} h-auto py-2 font-mono text-[0.8125rem]`}
              />
              <p id={`${id}-hint`} className="text-sm text-ink-soft">
                {t('sitesHint')}
              </p>
            </div>
            <Choice
              label={t('noReferrer')}
              value={draft.allowsEmpty ? 'pass' : 'hold'}
              onChange={(value) => change({ allowsEmpty: value === 'pass' })}
              options={[
                { value: 'pass', label: t('allow') },
                { value: 'hold', label: t('refuse') },
              ]}
            />
            <Choice
              label={t('otherSites')}
              value={draft.answer}
              onChange={(answer) => change({ answer })}
              options={[
                { value: 'refusal', label: t('refuse') },
                { value: 'placeholder', label: t('placeholder') },
              ]}
            />
          </>
        )}
      </SettingsForm>
    </section>
  )
}

interface Edit extends Omit<Hotlink, 'sites'> {
  readonly sites: string
  /** The rule that the user has seen: when the edit began or, after a conflict, the one reported. */
  readonly before: Hotlink
}

const startEdit = (rule: Hotlink): Edit => ({ ...rule, sites: rule.sites.join('\n'), before: rule })

interface ChoiceProps<T extends string> {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; label: string }[]
}

function Choice<T extends string>({ label, ...props }: ChoiceProps<T>) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <span className="text-sm font-medium">{label}</span>
      <Segments label={label} {...props} />
    </div>
  )
}
