'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { CheckRow } from '#app/ui/check-row.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { EmailForm } from './email-form.tsx'

type Shown = Outputs['account']['email']

/** The account's address: confirmed, waiting to be, or none. */
export function OwnEmail() {
  const trpc = useTRPC()
  const query = useQuery(trpc.account.email.queryOptions())
  const { data } = query
  return (
    <div className="flex max-w-lg flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {data && <Address shown={data} />}
      {data?.email && <ShareMails wants={data.wantsShareMails} />}
    </div>
  )
}

function Address({ shown: { email, pendingEmail } }: { shown: Shown }) {
  const t = useTranslations('ownEmail')
  const [isChanging, setChanging] = useState(false)
  if (isChanging || (email === null && pendingEmail === null))
    return <EmailForm {...(isChanging && { onCancel: () => setChanging(false) })} onDone={() => setChanging(false)} />
  return (
    <>
      {email !== null && <Row address={email} note={t('confirmed')} />}
      {pendingEmail !== null && <Row address={pendingEmail} note={t('pending')} />}
      <div className="-ml-3 flex flex-wrap gap-1">
        {pendingEmail !== null && <SendAgain email={pendingEmail} />}
        <Button tone="quiet" size="small" onPress={() => setChanging(true)}>
          {t('change')}
        </Button>
        <Remove />
      </div>
    </>
  )
}

function Row({ address, note }: { address: string; note: string }) {
  return (
    <div className="flex max-w-full gap-3">
      <Mail size={20} strokeWidth={1.7} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-soft" />
      <div className="min-w-0">
        <p className="font-medium break-words">{address}</p>
        <p className="text-sm text-ink-soft">{note}</p>
      </div>
    </div>
  )
}

function SendAgain({ email }: { email: string }) {
  const t = useTranslations('ownEmail')
  const trpc = useTRPC()
  const send = useMutation(
    trpc.account.setEmail.mutationOptions({
      onSuccess: () => void toast({ title: t('sent', { email }) }),
      onError: (error) => reportFailure(t('notSent'), error, () => send.mutate({ email })),
    }),
  )
  return (
    <Button tone="quiet" size="small" isPending={send.isPending} onPress={() => send.mutate({ email })}>
      {t('sendAgain')}
    </Button>
  )
}

function Remove() {
  const t = useTranslations('ownEmail')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation(
    trpc.account.removeEmail.mutationOptions({
      onSuccess: () => {
        toast({ title: t('removed') })
        return queryClient.invalidateQueries({ queryKey: trpc.account.email.queryKey() })
      },
      onError: (error) => reportFailure(t('notRemoved'), error, () => remove.mutate()),
    }),
  )
  return (
    <>
      <Button tone="quiet-danger" size="small" isPending={remove.isPending} onPress={() => setAsking(true)}>
        {t('remove')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('removeTitle')}
        action={t('remove')}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
      >
        {t('removeText')}
      </Confirm>
    </>
  )
}

function ShareMails({ wants }: { wants: boolean }) {
  const t = useTranslations('ownEmail')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const set = useMutation(
    trpc.account.setShareMails.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.account.email.queryKey() }),
      onError: (error, input) => reportFailure(t('notSet'), error, () => set.mutate(input)),
    }),
  )
  return (
    <CheckRow
      label={t('shareMails')}
      hint={t('shareMailsHint')}
      isChecked={set.isPending ? set.variables.wants : wants}
      onChange={(isChecked) => set.mutate({ wants: isChecked })}
    />
  )
}
