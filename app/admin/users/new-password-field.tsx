'use client'

import { Dices } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { suggestPassword } from '#app/account/credentials.ts'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Field } from '#app/ui/field.tsx'

interface Props {
  value: string
  onChange: (value: string) => void
  error: string | null
}

/** The first password of another user: visible, because a superadmin has to hand it over, and easy to generate. Empty for a link. */
export function NewPasswordField({ value, onChange, error }: Props) {
  const t = useTranslations('adminUsers')
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        error={error}
        value={value}
        onChange={onChange}
        autoComplete="off"
        isVerbatim
      />
      <div className="flex gap-2">
        <Button size="small" onPress={() => onChange(suggestPassword())}>
          <Dices size={16} /> {t('generate')}
        </Button>
        {value && <CopyButton text={value} label={t('copyPassword')} word={t('copy')} />}
      </div>
    </div>
  )
}
