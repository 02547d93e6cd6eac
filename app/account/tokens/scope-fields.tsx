'use client'

import { Check } from 'lucide-react'
import { Checkbox, CheckboxGroup, FieldError } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { FieldLabel } from '#app/ui/aria-field.tsx'
import { scopes as allScopes, isScope, type Scope } from './scopes.ts'

interface Props {
  scopes: readonly Scope[]
  onChange: (scopes: readonly Scope[]) => void
  error: string | null
}

/** The choice of a token's scopes. */
export function ScopeFields({ scopes, onChange, error }: Props) {
  const t = useTranslations('tokens')
  return (
    <CheckboxGroup
      value={[...scopes]}
      onChange={(values) => onChange(values.filter(isScope))}
      isInvalid={error !== null}
      validationBehavior="aria"
      className="flex flex-col gap-1.5"
    >
      <FieldLabel>{t('scopes')}</FieldLabel>
      <div className="overflow-hidden rounded-md border border-line bg-surface">
        {allScopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            className="group flex cursor-pointer items-start gap-3 border-line px-3 py-2 text-sm not-last:border-b hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-sm border-2 border-line-strong group-selected:border-water group-selected:bg-water group-selected:text-on-water">
              <Check size={12} strokeWidth={3.5} className="hidden group-selected:block" />
            </span>
            <span>
              <span className="block font-medium">{t(`scope.${scope}`)}</span>
              <span className="block leading-snug text-ink-soft">{t(`scopeHint.${scope}`)}</span>
            </span>
          </Checkbox>
        ))}
      </div>
      {error && <FieldError className="text-sm text-danger">{error}</FieldError>}
    </CheckboxGroup>
  )
}
