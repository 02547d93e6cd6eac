'use client'

import { type FormEvent, useState } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import type { UserItem } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { DecimalField } from '../decimal-field.tsx'
import { useQuotaChange } from './use-quota-change.tsx'

const GIB = 1024 ** 3

/** Sets the storage quota of one or several accounts: the site's, or a custom one. */
export default function SetQuota({ users, onClose }: { users: readonly UserItem[]; onClose: () => void }) {
  const tAdminUsers = useTranslations('adminUsers')
  const tUi = useTranslations('ui')
  const tAdmin = useTranslations('admin')
  const format = useFormat()
  const [first] = users
  const isOne = users.length === 1
  const own = isOne ? (first?.quotaBytes ?? null) : null
  const [isOwn, setOwn] = useState(own !== null || !isOne)
  const [gibibytes, setGibibytes] = useState((own ?? 5 * GIB) / GIB)
  const [isTried, setTried] = useState(false)
  const update = useQuotaChange(onClose)
  const isHeldBack = useHeldBack(update.error)
  const quotaBytes = isOwn ? Math.round(gibibytes * GIB) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Number.isNaN(quotaBytes)) return
    if (!isHeldBack && !update.isPending) update.mutate({ changes: users.map(({ id }) => ({ id, quotaBytes })) })
  }
  const title = isOne
    ? tAdminUsers('quotaTitle', { username: first?.username ?? '' })
    : tAdminUsers('quotaTitleMany', { count: users.length })
  const used = format.bytes(users.reduce((sum, { usedBytes }) => sum + usedBytes, 0))
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-soft">{tAdminUsers(isOne ? 'quotaText' : 'quotaTextMany', { used })}</p>
        <RadioGroup
          aria-label={tAdminUsers('quota')}
          value={isOwn ? 'own' : 'site'}
          onChange={(value) => setOwn(value === 'own')}
          className="overflow-hidden rounded-md border border-line bg-surface"
        >
          <Choice value="site" label={tAdminUsers('quotaSite')} />
          <Choice value="own" label={tAdminUsers('quotaCustom')} />
        </RadioGroup>
        {isOwn && (
          <DecimalField
            label={tAdminUsers('quotaGib')}
            value={gibibytes}
            onChange={setGibibytes}
            max={1_000_000}
            isChecked={isTried}
          />
        )}
        <FormFailure error={update.error} />
        <DialogActions>
          <Button onPress={onClose}>{tUi('cancel')}</Button>
          <Button type="submit" tone="primary" isPending={update.isPending} isDisabled={isHeldBack}>
            {tAdmin('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Choice({ value, label }: { value: string; label: string }) {
  return (
    <Radio
      value={value}
      className="group flex cursor-pointer items-center gap-3 border-line px-3 py-2.5 text-sm font-medium not-last:border-b hover:bg-hover selected:bg-water-soft focus-visible:-outline-offset-2"
    >
      <span className="size-4 shrink-0 rounded-full border-2 border-line-strong group-selected:border-5 group-selected:border-water" />
      {label}
    </Radio>
  )
}
