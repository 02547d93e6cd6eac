'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { GuardedDialog } from '#app/admin/guarded-dialog.tsx'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Field, PasswordField } from '#app/ui/field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { beginDraft, type Draft, isChangedDraft, toChange } from './draft.ts'
import { IssuerField } from './issuer-field.tsx'
import type { Listed, ListedProvider } from './types.ts'

interface Props {
  /** Null for a new one. */
  known: ListedProvider | null
  site: Pick<Listed, 'origin' | 'signup'>
  onClose: () => void
}

/** Adds a provider, or changes one. It is asked what it says of itself before it is saved. */
export default function ProviderDialog({ known, site, onClose }: Props) {
  const t = useTranslations('adminProviders')
  const client = useTRPCClient()
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => beginDraft(known))
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const save = async () => {
    const change = toChange(draft)
    if (known) await client.provider.update.mutate({ name: known.name, version: known.version, ...change })
    else await client.provider.create.mutate({ name: draft.name, issuer: draft.issuer, ...change })
    toast({ title: t(known ? 'changed' : 'created') })
    await queryClient.invalidateQueries({ queryKey: trpc.provider.list.queryKey() })
  }
  const isComplete = [draft.name, draft.issuer, draft.clientId, draft.label].every((text) => text.trim() !== '')
  const title = known ? t('editTitle', { provider: known.label }) : t('addTitle')
  return (
    <GuardedDialog title={title} isChanged={isChangedDraft(draft, known)} onClose={onClose} isWide>
      {(leave) => (
        <SettingsForm save={save} isDisabled={!isComplete} onClose={leave} onDone={onClose}>
          <Address draft={draft} known={known} origin={site.origin} set={set} />
          <Client draft={draft} hasSecret={known?.hasSecret === true && !known.hasEnded} set={set} />
          <Choices draft={draft} signup={site.signup} set={set} />
        </SettingsForm>
      )}
    </GuardedDialog>
  )
}

interface PartProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
}

function Address({ draft, known, origin, set }: PartProps & { known: ListedProvider | null; origin: string }) {
  const t = useTranslations('adminProviders')
  const callback = `${origin}/api/auth/oidc/${draft.name.trim() || '…'}/callback`
  return (
    <>
      <Field
        label={t('label')}
        hint={t('labelHint')}
        value={draft.label}
        onChange={(label) => set({ label })}
        maxLength={60}
        autoFocus
        isRequired
      />
      <IssuerField issuer={draft.issuer} isFixed={known !== null} onChange={(issuer) => set({ issuer })} />
      <Field
        label={t('name')}
        hint={t('nameHint')}
        value={draft.name}
        onChange={(name) => set({ name })}
        maxLength={32}
        isDisabled={known !== null}
        isRequired
        isVerbatim
      />
      <div className="flex flex-col gap-1.5">
        <p className="text-sm font-medium">{t('callback')}</p>
        <div className="flex items-center gap-3 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <output aria-label={t('callback')} className="min-w-0 flex-1 font-mono text-[0.8125rem] break-all">
            {callback}
          </output>
          <CopyButton text={callback} label={t('copyCallback')} />
        </div>
        <p className="text-sm text-ink-soft">{t('callbackHint', { origin })}</p>
      </div>
    </>
  )
}

function Client({ draft, hasSecret, set }: PartProps & { hasSecret: boolean }) {
  const t = useTranslations('adminProviders')
  return (
    <>
      <Field
        label={t('clientId')}
        value={draft.clientId}
        onChange={(clientId) => set({ clientId })}
        autoComplete="off"
        isRequired
        isVerbatim
      />
      <PasswordField
        label={t('clientSecret')}
        hint={hasSecret ? t('clientSecretKept') : t('clientSecretHint')}
        value={draft.clientSecret}
        onChange={(clientSecret) => set({ clientSecret })}
        autoComplete="off"
      />
      <Field
        label={t('scopes')}
        hint={t('scopesHint')}
        value={draft.scopes}
        onChange={(scopes) => set({ scopes })}
        isVerbatim
      />
    </>
  )
}

function Choices({ draft, signup, set }: PartProps & Pick<Listed, 'signup'>) {
  const t = useTranslations('adminProviders')
  return (
    <>
      <Switch
        label={t('enabled')}
        hint={t('enabledHint')}
        isOn={draft.isEnabled}
        onChange={(isEnabled) => set({ isEnabled })}
      />
      <Switch
        label={t('opensAccounts')}
        hint={t('opensAccountsHint', { signup })}
        isOn={draft.opensAccounts}
        onChange={(opensAccounts) => set({ opensAccounts })}
      />
      <Switch
        label={t('linksByEmail')}
        hint={t('linksByEmailHint')}
        isOn={draft.linksByEmail}
        onChange={(linksByEmail) => set({ linksByEmail })}
      />
      <Switch
        label={t('endsSession')}
        hint={t('endsSessionHint')}
        isOn={draft.endsSession}
        onChange={(endsSession) => set({ endsSession })}
      />
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 text-sm font-medium">{t('secondFactor')}</legend>
        <Segments
          label={t('secondFactor')}
          value={draft.secondFactor}
          options={[
            { value: 'here', label: t('secondFactorHere') },
            { value: 'claimed', label: t('secondFactorClaimed') },
            { value: 'there', label: t('secondFactorThere') },
          ]}
          onChange={(secondFactor) => set({ secondFactor })}
        />
        <p className="text-sm text-ink-soft">{t('secondFactorHint')}</p>
      </fieldset>
    </>
  )
}
