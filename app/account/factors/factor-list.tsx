'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import type { Opened } from './factor-dialog.tsx'
import { TrustedBrowsers } from './trusted-browsers.tsx'

type Shown = Outputs['identity']['show']

interface Props {
  app: Shown['app']
  shown: Shown
  isReplacing: boolean
  onReplace: () => void
  onMade: (made: Opened) => void
}

/** The authenticator app, the recovery codes, and the browsers that need neither. */
export default function FactorList({ app, shown, isReplacing, onReplace, onMade }: Props) {
  const t = useTranslations('factors')
  return (
    <>
      <ul aria-label={t('title')} className="w-full divide-y divide-line rounded-md border border-line bg-surface">
        {app && (
          <AppRow
            app={app}
            hasPasskeys={shown.factors.passkeys > 0}
            isRequired={shown.isRequired}
            isReplacing={isReplacing}
            onReplace={shown.rule === 'off' ? null : onReplace}
          />
        )}
        <CodesRow left={shown.factors.recoveryCodes} onMade={onMade} />
      </ul>
      <TrustedBrowsers />
    </>
  )
}

interface AppRowProps {
  app: NonNullable<Shown['app']>
  /** Whether the account has another second factor. */
  hasPasskeys: boolean
  isRequired: boolean
  isReplacing: boolean
  /** Null where the site lets nobody set one up. */
  onReplace: (() => void) | null
}

function AppRow({ app, hasPasskeys, isRequired, isReplacing, onReplace }: AppRowProps) {
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
        {(!isRequired || hasPasskeys) && (
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
        {t(hasPasskeys ? 'removeTextPasskeys' : 'removeText')}
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
