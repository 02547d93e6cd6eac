'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { formatBytes } from '#format/bytes.ts'
import { DecimalField } from '../decimal-field.tsx'
import { useUserCache } from './use-users.ts'

const bytesPerGB = 1024 ** 3

/** How much space an account's images may take: the site's quota, or one of its own. */
export function SetQuota({ user, onClose }: { user: UserItem; onClose: () => void }) {
  const trpc = useTRPC()
  const cache = useUserCache()
  const [isOwn, setOwn] = useState(user.quotaBytes !== null)
  const [gigabytes, setGigabytes] = useState((user.quotaBytes ?? 5 * bytesPerGB) / bytesPerGB)
  const [isTried, setTried] = useState(false)
  const update = useMutation(
    trpc.user.update.mutationOptions({
      onSuccess: (changed) => {
        cache.replace(changed)
        toast({ title: `The quota of ${user.username} is set.` })
        onClose()
      },
    }),
  )
  const isHeldBack = useHeldBack(update.error)
  const quotaBytes = isOwn ? Math.round(gigabytes * bytesPerGB) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Number.isNaN(quotaBytes)) return
    if (!isHeldBack && !update.isPending) update.mutate({ id: user.id, quotaBytes })
  }
  return (
    <Dialog title={`Storage quota of ${user.username}`} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-soft">
          Images of this account take {formatBytes(user.usedBytes)}, the trash included. A smaller quota removes
          nothing: it only refuses what is new.
        </p>
        <RadioGroup
          aria-label="Quota"
          value={isOwn ? 'own' : 'site'}
          onChange={(value) => setOwn(value === 'own')}
          className="overflow-hidden rounded-md border border-line bg-surface"
        >
          <Choice value="site" label="As the site sets it" />
          <Choice value="own" label="A quota of its own" />
        </RadioGroup>
        {isOwn && (
          <DecimalField
            label="Quota in GiB"
            value={gigabytes}
            onChange={setGigabytes}
            max={1_000_000}
            isChecked={isTried}
          />
        )}
        <FormFailure error={update.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isPending={update.isPending} isDisabled={isHeldBack}>
            Save
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
