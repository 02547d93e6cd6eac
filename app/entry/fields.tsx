'use client'

import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { inputClass } from '#app/ui/input-class.ts'

interface Props extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  label: string
  name: string
  hint?: string
  error?: string | null
}

const verbatim = { autoCapitalize: 'none', spellCheck: false, 'aria-required': true } as const

/** A text field of a form that works without script. The browser keeps its value. */
export function EntryField({ label, hint, error, ...input }: Props) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(named) => <input {...verbatim} {...input} {...named} className={inputClass} />}
    </Labelled>
  )
}

/** The same for a password, with a button that shows it. */
export function EntryPassword({ label, hint, error, ...input }: Omit<Props, 'type'>) {
  const t = useTranslations('ui')
  const [isShown, setShown] = useState(false)
  const [hasScript, setHasScript] = useState(false)
  useEffect(() => setHasScript(true), [])
  const Icon = isShown ? EyeOff : Eye
  const name = isShown ? t('hidePassword') : t('showPassword')
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(named) => (
        <div className="relative">
          <input
            {...verbatim}
            {...input}
            {...named}
            type={isShown ? 'text' : 'password'}
            className={`${inputClass} pr-11`}
          />
          {hasScript && (
            <button
              type="button"
              aria-label={name}
              title={name}
              onClick={() => setShown(!isShown)}
              className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-ink-soft hover:text-ink"
            >
              <Icon size={18} />
            </button>
          )}
        </div>
      )}
    </Labelled>
  )
}

interface Naming {
  readonly id: string
  readonly 'aria-invalid': boolean | undefined
  readonly 'aria-describedby': string | undefined
}

interface LabelledProps {
  label: string
  hint: string | undefined
  error: string | null | undefined
  children: (named: Naming) => ReactNode
}

function Labelled({ label, hint, error, children }: LabelledProps) {
  const id = useId()
  const note = error || hint
  const noteId = `${id}-note`
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': note ? noteId : undefined })}
      {note && (
        <p
          id={noteId}
          role={error ? 'alert' : undefined}
          className={`text-sm ${error ? 'text-danger' : 'text-ink-soft'}`}
        >
          {note}
        </p>
      )}
    </div>
  )
}
