'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import type { Opened } from './factor-dialog.tsx'
import { TrustedBrowsers } from './trusted-browsers.tsx'

const FactorDialog = dynamic(() => import('./factor-dialog.tsx').then((module) => module.FactorDialog))

type Shown = Outputs['identity']['show']

/** The account's authenticator app, its recovery codes, and the browsers that need neither. */
export function SecondFactor() {
  const t = useTranslations('factors')
  const trpc = useTRPC()
  const query = useQuery(trpc.identity.show.queryOptions())
  const [opened, setOpened] = useState<Opened | null>(null)
  const begin = useMutation(
    trpc.identity.beginTotp.mutationOptions({
      gcTime: 0,
      onSuccess: setOpened,
      onError: (error) => reportFailure(t('notBegun'), error, () => begin.mutate()),
    }),
  )
  const { data } = query
  return (
    <div className="flex flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {data && !data.app && <None isOff={data.rule === 'off'} />}
      {data?.app && (
        <ul aria-label={t('title')} className="w-full divide-y divide-line rounded-md border border-line bg-surface">
          <AppRow
            app={data.app}
            isRequired={data.isRequired}
            isReplacing={begin.isPending}
            onReplace={data.rule === 'off' ? null : () => begin.mutate()}
          />
          <CodesRow left={data.factors.recoveryCodes} onMade={setOpened} />
        </ul>
      )}
      {data && !data.app && data.rule !== 'off' && (
        <Button isPending={begin.isPending} onPress={() => begin.mutate()}>
          <Smartphone size={17} /> {t('setUp')}
        </Button>
      )}
      <TrustedBrowsers />
      {opened && <FactorDialog opened={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

function None({ isOff }: { isOff: boolean }) {
  const t = useTranslations('factors')
  if (isOff) return <Notice>{t('off')}</Notice>
  return (
    <p className="w-full rounded-md border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
      {t('none')}
    </p>
  )
}

interface AppRowProps {
  app: NonNullable<Shown['app']>
  isRequired: boolean
  isReplacing: boolean
  /** Null where the site lets nobody set one up. */
  onReplace: (() => void) | null
}

function AppRow({ app, isRequired, isReplacing, onReplace }: AppRowProps) {
  const t = useTranslations('factors')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation(
    trpc.identity.removeTotp.mutationOptions({
      onSuccess: () => {
        toast({ title: t('removed') })
        return queryClient.invalidateQueries({ queryKey: trpc.identity.pathKey() })
      },
      onError: (error) => reportFailure(t('notRemoved'), error, () => remove.mutate()),
    }),
  )
  return (
    <Row icon={<Smartphone size={20} strokeWidth={1.7} />} title={t('app')}>
      <p className="figures text-ink-soft">{t.rich('since', { date: () => <LocalDate iso={app.since} time /> })}</p>
      {app.hasEnded && <Notice tone="danger">{t('ended')}</Notice>}
      <div className="-ml-3 flex flex-wrap gap-1">
        {onReplace && (
          <Button tone="quiet" size="small" isPending={isReplacing} onPress={onReplace}>
            {t('replace')}
          </Button>
        )}
        {!isRequired && (
          <Button tone="quiet-danger" size="small" isPending={remove.isPending} onPress={() => setAsking(true)}>
            {t('remove')}
          </Button>
        )}
      </div>
      <Confirm
        isOpen={isAsking}
        title={t('removeTitle')}
        action={t('remove')}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
      >
        {t('removeText')}
      </Confirm>
    </Row>
  )
}

/** Codes left at which it is time for new ones. */
const FEW = 3

function CodesRow({ left, onMade }: { left: number; onMade: (made: Opened) => void }) {
  const t = useTranslations('factors')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remake = useMutation(
    trpc.identity.remakeRecoveryCodes.mutationOptions({
      gcTime: 0,
      onSuccess: (made) => {
        onMade(made)
        return queryClient.invalidateQueries({ queryKey: trpc.identity.show.queryKey() })
      },
      onError: (error) => reportFailure(t('notRemade'), error, () => remake.mutate()),
    }),
  )
  return (
    <Row icon={<KeyRound size={20} strokeWidth={1.7} />} title={t('codes')}>
      <p className={`figures ${left < FEW ? 'text-danger' : 'text-ink-soft'}`}>{t('codesLeft', { count: left })}</p>
      <div className="-ml-3">
        <Button tone="quiet" size="small" isPending={remake.isPending} onPress={() => setAsking(true)}>
          {t('remake')}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        title={t('remakeTitle')}
        action={t('remake')}
        tone="primary"
        onClose={() => setAsking(false)}
        onConfirm={() => remake.mutate()}
      >
        {t('remakeText')}
      </Confirm>
    </Row>
  )
}

function Row({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3 px-3.5 py-3">
      <span className="shrink-0 pt-0.5 text-ink-soft">{icon}</span>
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-sm">
        <p className="font-medium">{title}</p>
        {children}
      </div>
    </li>
  )
}
