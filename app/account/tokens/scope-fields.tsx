'use client'

import { useTranslations } from 'use-intl/react'
import { CheckGroup } from '#app/ui/check-row.tsx'
import { scopes as allScopes, type Scope } from './scopes.ts'

interface Props {
  scopes: readonly Scope[]
  onChange: (scopes: readonly Scope[]) => void
  error: string | null
}

/** The choice of a token's scopes. */
export function ScopeFields({ scopes, onChange, error }: Props) {
  const t = useTranslations('tokens')
  return (
    <CheckGroup
      label={t('scopes')}
      options={allScopes.map((value) => ({ value, label: t(`scope.${value}`), hint: t(`scopeHint.${value}`) }))}
      chosen={scopes}
      onChange={onChange}
      error={error}
    />
  )
}
