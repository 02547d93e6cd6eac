'use client'

import { useId } from 'react'
import { useTranslations } from 'use-intl/react'
import type { LastPost } from '#app/entry/failure-cookie.ts'
import { Submit } from '#app/entry/submit.tsx'
import { useEntryForm } from '#app/entry/use-entry-form.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { inputClass } from '#app/ui/input-class.ts'
import { Choices, type ReportChoice } from './choices.tsx'
import { reasons } from './reasons.ts'

interface Props {
  /** The page that it is reported from. */
  readonly path: string
  readonly choices: readonly ReportChoice[]
  /** Further fields of the form. */
  readonly hidden: Readonly<Record<string, string>>
  readonly last: LastPost | null
}

/** Reports images to the site's admins. The form works without script. */
export function ReportForm({ path, choices, hidden, last }: Props) {
  const t = useTranslations('reporting')
  const textId = useId()
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null })
  return (
    <form
      action="/api/auth/form/report"
      method="post"
      onSubmit={submit}
      className="mx-auto flex max-w-lg flex-col gap-6 px-5 py-8"
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">
          {choices.length > 1 ? t('titleOfMany') : t('title')}
        </h1>
        <p className="text-ink-soft">{t('lead')}</p>
      </div>
      <Choices choices={choices} />
      <fieldset className="flex flex-col">
        <legend className="mb-1 text-sm font-medium">{t('reasonLabel')}</legend>
        {reasons.map((reason) => (
          <label
            key={reason}
            className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2 hover:bg-hover"
          >
            <input type="radio" name="reason" value={reason} required className="size-4 shrink-0 accent-ink" />
            {t(`reason.${reason}`)}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={textId} className="text-sm font-medium">
          {t('text')}
        </label>
        <textarea id={textId} name="text" rows={3} maxLength={1000} className={`${inputClass} h-auto py-2`} />
        <p className="text-sm text-ink-soft">{t('textHint')}</p>
      </div>
      <FormFailure error={error} />
      <div className="flex flex-wrap gap-2">
        <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
          {t('send')}
        </Submit>
        <a href={path} className={buttonClass('plain')}>
          {t('cancel')}
        </a>
      </div>
    </form>
  )
}
