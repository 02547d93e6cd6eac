'use client'

import { Radio, RadioGroup } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import type { UserItem } from '#app/connection/trpc.ts'
import { FieldLabel } from '#app/ui/aria-field.tsx'
import { Switch } from '#app/ui/switch.tsx'

export type Role = UserItem['role']

const roles = ['user', 'admin', 'superadmin'] as const satisfies readonly Role[]

interface Props {
  role: Role
  shared: boolean
  onRole: (role: Role) => void
  onShared: (shared: boolean) => void
}

/** The role of an account, and whether several people share it. A superadmin's account cannot be shared. */
export function RoleFields({ role, shared, onRole, onShared }: Props) {
  const t = useTranslations('adminUsers')
  const choose = (value: string) => {
    const chosen = roles.find((candidate) => candidate === value)
    if (!chosen) return
    onRole(chosen)
    if (chosen === 'superadmin') onShared(false)
  }
  return (
    <>
      <RadioGroup value={role} onChange={choose} className="flex flex-col gap-1.5">
        <FieldLabel>{t('role')}</FieldLabel>
        <div className="overflow-hidden rounded-md border border-line bg-surface">
          {roles.map((each) => (
            <Radio
              key={each}
              value={each}
              className="group flex cursor-pointer items-start gap-3 border-line px-3 py-2 text-sm not-last:border-b hover:bg-hover selected:bg-water-soft focus-visible:-outline-offset-2"
            >
              <span className="mt-0.5 size-4 shrink-0 rounded-full border-2 border-line-strong group-selected:border-5 group-selected:border-water" />
              <span>
                <span className="block font-medium">{t(`roles.${each}`)}</span>
                <span className="block leading-snug text-ink-soft">{t(`rolesHint.${each}`)}</span>
              </span>
            </Radio>
          ))}
        </div>
      </RadioGroup>
      <Switch
        label={t('sharedAccount')}
        hint={t('sharedHint')}
        isOn={shared}
        isDisabled={role === 'superadmin'}
        onChange={onShared}
      />
    </>
  )
}
