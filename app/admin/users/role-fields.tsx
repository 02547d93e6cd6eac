'use client'

import { Radio, RadioGroup, Switch } from 'react-aria-components'
import type { UserItem } from '#app/connection/trpc.ts'
import { FieldLabel } from '#app/ui/field.tsx'

export type Role = UserItem['role']

const words = {
  user: { name: 'User', meaning: 'Uploads and manages their own images.' },
  admin: { name: 'Admin', meaning: 'Sees all but private images, manages users, may trash public images.' },
  superadmin: { name: 'Superadmin', meaning: 'Sees and manages everything, private images too. No limit binds them.' },
} satisfies Record<Role, object>

const roles = ['user', 'admin', 'superadmin'] as const satisfies readonly Role[]

interface Props {
  role: Role
  shared: boolean
  onRole: (role: Role) => void
  onShared: (shared: boolean) => void
}

/** What an account may do, and whether several people use it; a superadmin's cannot be shared. */
export function RoleFields({ role, shared, onRole, onShared }: Props) {
  const choose = (value: string) => {
    const chosen = roles.find((candidate) => candidate === value)
    if (!chosen) return
    onRole(chosen)
    if (chosen === 'superadmin') onShared(false)
  }
  return (
    <>
      <RadioGroup value={role} onChange={choose} className="flex flex-col gap-1.5">
        <FieldLabel>Role</FieldLabel>
        <div className="overflow-hidden rounded-md border border-line bg-surface">
          {roles.map((each) => (
            <Radio
              key={each}
              value={each}
              className="group flex cursor-pointer items-start gap-3 border-line px-3 py-2 text-sm not-last:border-b hover:bg-hover selected:bg-water-soft focus-visible:-outline-offset-2"
            >
              <span className="mt-0.5 size-4 shrink-0 rounded-full border-2 border-line-strong group-selected:border-5 group-selected:border-water" />
              <span>
                <span className="block font-medium">{words[each].name}</span>
                <span className="block leading-snug text-ink-soft">{words[each].meaning}</span>
              </span>
            </Radio>
          ))}
        </div>
      </RadioGroup>
      <Switch
        isSelected={shared}
        isDisabled={role === 'superadmin'}
        onChange={onShared}
        className="group flex cursor-pointer items-start gap-3 text-sm disabled:opacity-50"
      >
        <span className="mt-0.5 flex h-5 w-9 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors group-selected:bg-water group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-water">
          <span className="size-4 rounded-full bg-white transition-transform group-selected:translate-x-4" />
        </span>
        <span>
          <span className="block font-medium">Shared account</span>
          <span className="block leading-snug text-ink-soft">
            Several people use it: limits count by address, and it cannot have API tokens, change its password, end
            sessions, delete for good or manage users.
          </span>
        </span>
      </Switch>
    </>
  )
}
