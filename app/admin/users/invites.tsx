'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { AmountField } from './amount-field.tsx'

type Invite = Outputs['invite']['create']

export default function Invites({ onClose }: { onClose: () => void }) {
  const t = useTranslations('invites')
  return (
    <Dialog title={t('title')} isOpen onClose={onClose}>
      <NewInvite />
      <OpenInvites />
    </Dialog>
  )
}

function NewInvite() {
  const t = useTranslations('invites')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [uses, setUses] = useState(1)
  const [days, setDays] = useState(7)
  const { hasMail } = useSession()
  const [email, setEmail] = useState('')
  const create = useMutation(
    trpc.invite.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.invite.list.queryKey() }),
    }),
  )
  const isHeldBack = useHeldBack(create.error)
  const startAgain = () => {
    setEmail('')
    create.reset()
  }
  if (create.data) return <Created invite={create.data} onAnother={startAgain} />
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-soft">{t('text')}</p>
      <div className="grid grid-cols-2 gap-3">
        <AmountField
          label={t('people')}
          fewer={t('fewerPeople')}
          more={t('morePeople')}
          value={uses}
          onChange={setUses}
          max={100}
        />
        <AmountField
          label={t('days')}
          fewer={t('fewerDays')}
          more={t('moreDays')}
          value={days}
          onChange={setDays}
          max={90}
        />
      </div>
      {hasMail && (
        <Field
          label={t('email')}
          hint={t('emailHint')}
          value={email}
          onChange={setEmail}
          inputMode="email"
          autoComplete="off"
          isVerbatim
        />
      )}
      <FormFailure error={create.error} />
      <Button
        tone="primary"
        isPending={create.isPending}
        isDisabled={isHeldBack}
        onPress={() => create.mutate({ uses, days, ...(email.trim() && { email }) })}
      >
        {email.trim() === '' ? t('create') : t('createAndSend')}
      </Button>
    </div>
  )
}

function Created({ invite, onAnother }: { invite: Invite; onAnother: () => void }) {
  const t = useTranslations('invites')
  return (
    <div role="status" className="flex flex-col gap-3">
      {invite.email !== null && <Notice>{t('sent', { email: invite.email })}</Notice>}
      <p className="text-sm text-ink-soft">
        {t.rich('created', { count: invite.usesLeft, date: () => <LocalDate iso={invite.expiresAt} /> })}
      </p>
      <code className="rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] break-all">
        {invite.url}
      </code>
      <div className="flex gap-2">
        <CopyButton text={invite.url} label={t('copyLinkLabel')} word={t('copyLink')} />
        <Button tone="quiet" size="small" onPress={onAnother}>
          {t('another')}
        </Button>
      </div>
    </div>
  )
}

function OpenInvites() {
  const t = useTranslations('invites')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(trpc.invite.list.queryOptions())
  const revoke = useMutation(
    trpc.invite.revoke.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.invite.list.queryKey() }),
      onError: (error, input) => reportFailure(t('revokeFailed'), error, () => revoke.mutate(input)),
    }),
  )
  const items = query.data?.items ?? []
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{t('open')}</h3>
      <QueryStanding query={query} />
      {query.isSuccess && items.length === 0 && <p className="text-sm text-ink-soft">{t('none')}</p>}
      <ul className="flex flex-col gap-1">
        {items.map(({ id, usesLeft, expiresAt, createdBy }) => (
          <li key={id} className="flex items-center gap-3 text-sm">
            <span className="figures min-w-0 flex-1">
              {t.rich('usesLeft', { count: usesLeft, date: () => <LocalDate iso={expiresAt} /> })}
              {createdBy && (
                <span className="block truncate text-ink-soft">{t('createdBy', { username: createdBy })}</span>
              )}
            </span>
            <Button
              tone="quiet-danger"
              size="small"
              isPending={revoke.isPending && revoke.variables.id === id}
              onPress={() => revoke.mutate({ id })}
            >
              {t('revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
