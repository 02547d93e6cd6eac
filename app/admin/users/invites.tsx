'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { count } from '#format/counts.ts'
import { AmountField } from './amount-field.tsx'

type Invite = Outputs['invite']['create']

export function Invites({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Invite people" isOpen={isOpen} onClose={onClose}>
      <NewInvite />
      <OpenInvites />
    </Dialog>
  )
}

function NewInvite() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [uses, setUses] = useState(1)
  const [days, setDays] = useState(7)
  const create = useMutation(
    trpc.invite.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.invite.list.queryKey() }),
    }),
  )
  const isHeldBack = useHeldBack(create.error)
  if (create.data) return <Made invite={create.data} onAnother={create.reset} />
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-soft">Whoever has the link can make an account, with the role of a user.</p>
      <div className="grid grid-cols-2 gap-3">
        <AmountField label="People" things="people" value={uses} onChange={setUses} max={100} />
        <AmountField label="Valid for (days)" things="days" value={days} onChange={setDays} max={90} />
      </div>
      <FormFailure error={create.error} />
      <Button
        tone="primary"
        isPending={create.isPending}
        isDisabled={isHeldBack}
        onPress={() => create.mutate({ uses, days })}
      >
        Make a link
      </Button>
    </div>
  )
}

function Made({ invite, onAnother }: { invite: Invite; onAnother: () => void }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <p className="text-sm text-ink-soft">
        For {count(invite.usesLeft, 'person', 'people')}, until <Moment iso={invite.expiresAt} />. Copy it now: it is
        not shown again.
      </p>
      <code className="rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] break-all">
        {invite.url}
      </code>
      <div className="flex gap-2">
        <CopyButton text={invite.url} label="Copy link of the invite" word="Copy link" />
        <Button tone="quiet" size="small" onPress={onAnother}>
          Make another
        </Button>
      </div>
    </div>
  )
}

function OpenInvites() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(trpc.invite.list.queryOptions())
  const revoke = useMutation(
    trpc.invite.revoke.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.invite.list.queryKey() }),
      onError: (error, input) => reportFailure('The invite was not revoked.', error, () => revoke.mutate(input)),
    }),
  )
  const items = query.data?.items ?? []
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">Open invites</h3>
      <QueryStanding query={query} />
      {query.isSuccess && items.length === 0 && <p className="text-sm text-ink-soft">None.</p>}
      <ul className="flex flex-col gap-1">
        {items.map(({ id, usesLeft, expiresAt, createdBy }) => (
          <li key={id} className="flex items-center gap-3 text-sm">
            <span className="figures min-w-0 flex-1">
              {count(usesLeft, 'use')} left, until <Moment iso={expiresAt} />
              {createdBy && <span className="block truncate text-ink-soft">by {createdBy}</span>}
            </span>
            <Button
              tone="quiet-danger"
              size="small"
              isPending={revoke.isPending && revoke.variables.id === id}
              onPress={() => revoke.mutate({ id })}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
