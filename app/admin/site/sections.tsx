'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { late } from '#app/ui/late.tsx'
import { languageName, locales } from '#format/locale.ts'
import { AccentSetting } from './accent-setting.tsx'
import { EventsSetting } from './events-setting.tsx'
import { ChoiceSetting, TextSetting } from './fields.tsx'
import { ImageSetting } from './image-setting.tsx'
import { LinksSetting } from './links-setting.tsx'
import { MailPassword } from './mail-password.tsx'
import { useSetting } from './setting.tsx'

// Sites without mail load none of it. It appears while the sender is typed: without a boundary of its own, React would show
// none of that before the script has come, and put the field back to what it was.
const MailTest = late(() => import('./mail-test.tsx'))

/** The settings, by what they are about. */
export function Sections() {
  const t = useTranslations('adminSite')
  return (
    <>
      <Section title={t('looks')} lead={t('looksLead')}>
        <TextSetting setting="SLUICE_NAME" label={t('label.name')} hint={t('hint.name')} />
        <ImageSetting setting="logo" label={t('label.logo')} hint={t('hint.logo')} />
        <ImageSetting setting="icon" label={t('label.icon')} hint={t('hint.icon')} />
        <AccentSetting />
        <TextSetting setting="SLUICE_TAGLINE" label={t('label.tagline')} hint={t('hint.tagline')} />
        <LinksSetting />
      </Section>
      <Section title={t('readers')} lead={t('readersLead')}>
        <ChoiceSetting
          setting="SLUICE_LANGUAGE"
          label={t('label.language')}
          hint={t('hint.language')}
          options={locales.map((locale) => ({ value: locale, label: languageName(locale) }))}
        />
        <OnOff setting="SLUICE_INDEXING" label={t('label.indexing')} hint={t('hint.indexing')} />
        <OnOff setting="SLUICE_GALLERY" label={t('label.gallery')} hint={t('hint.gallery')} />
        <ChoiceSetting
          setting="SLUICE_SIGNUP"
          label={t('label.signup')}
          hint={t('hint.signup')}
          options={[
            { value: 'closed', label: t('signupClosed') },
            { value: 'invite', label: t('signupInvite') },
            { value: 'open', label: t('signupOpen') },
          ]}
        />
        <ChoiceSetting
          setting="SLUICE_SECOND_FACTOR"
          label={t('label.secondFactor')}
          hint={t('hint.secondFactor')}
          options={[
            { value: 'off', label: t('secondFactorOff') },
            { value: 'offered', label: t('secondFactorOffered') },
            { value: 'required-admins', label: t('secondFactorAdmins') },
            { value: 'required-all', label: t('secondFactorAll') },
          ]}
        />
        <OnOff setting="SLUICE_PASSWORDS" label={t('label.passwords')} hint={t('hint.passwords')} />
      </Section>
      <Section title={t('images')} lead={t('imagesLead')}>
        <ChoiceSetting
          setting="SLUICE_VISIBILITY"
          label={t('label.visibility')}
          hint={t('hint.visibility')}
          options={[
            { value: 'private', label: t('visibilityPrivate') },
            { value: 'link', label: t('visibilityLink') },
            { value: 'public', label: t('visibilityPublic') },
          ]}
        />
        <TextSetting setting="SLUICE_MAX_UPLOAD" label={t('label.maxUpload')} hint={t('hint.maxUpload')} isVerbatim />
        <TextSetting setting="SLUICE_QUOTA" label={t('label.quota')} hint={t('hint.quota')} isVerbatim />
        <TextSetting
          setting="SLUICE_TRASH_DAYS"
          label={t('label.trashDays')}
          hint={t('hint.trashDays')}
          inputMode="numeric"
        />
        <TextSetting
          setting="SLUICE_CACHE_SECONDS"
          label={t('label.cacheSeconds')}
          hint={t('hint.cacheSeconds')}
          inputMode="numeric"
        />
      </Section>
      <GuestSettings />
      <MailSettings />
      <BackupFields />
      <Section title={t('operation')} lead={t('operationLead')}>
        <TextSetting
          setting="SLUICE_AUDIT_DAYS"
          label={t('label.auditDays')}
          hint={t('hint.auditDays')}
          inputMode="numeric"
        />
        <TextSetting
          setting="SLUICE_WEBHOOK"
          label={t('label.webhook')}
          hint={t('hint.webhook')}
          isVerbatim
          inputMode="url"
        />
        <EventsSetting />
      </Section>
    </>
  )
}

/** Whether people without an account may upload, and how much. */
function GuestSettings() {
  const t = useTranslations('adminSite')
  return (
    <Section title={t('guests')} lead={t('guestsLead')}>
      <ChoiceSetting
        setting="SLUICE_GUEST_UPLOAD"
        label={t('label.guestUpload')}
        hint={t('hint.guestUpload')}
        options={[
          { value: 'off', label: t('off') },
          { value: 'approval', label: t('guestsApproval') },
          { value: 'on', label: t('on') },
        ]}
      />
      <TextSetting
        setting="SLUICE_GUEST_DAYS"
        label={t('label.guestDays')}
        hint={t('hint.guestDays')}
        inputMode="numeric"
      />
      <TextSetting
        setting="SLUICE_GUEST_IMAGES"
        label={t('label.guestImages')}
        hint={t('hint.guestImages')}
        inputMode="numeric"
      />
      <TextSetting
        setting="SLUICE_GUEST_STORAGE"
        label={t('label.guestStorage')}
        hint={t('hint.guestStorage')}
        isVerbatim
      />
    </Section>
  )
}

const backupSettings = [
  ['SLUICE_BACKUP_TIMES', 'backupTimes'],
  ['SLUICE_BACKUP_KEEP', 'backupKeep'],
  ['SLUICE_BACKUP_KEEP_DAYS', 'backupKeepDays'],
  ['SLUICE_BACKUP_LATE_HOURS', 'backupLateHours'],
] as const

/** When backups are made and how long they are kept; where they go is set in the environment. */
function BackupFields() {
  const t = useTranslations('adminSite')
  return (
    <Section title={t('backups')} lead={t('backupsLead')}>
      {backupSettings.map(([setting, key]) => (
        <TextSetting key={key} setting={setting} label={t(`label.${key}`)} hint={t(`hint.${key}`)} isVerbatim />
      ))}
    </Section>
  )
}

/** The server that takes the site's mail. */
function MailSettings() {
  const t = useTranslations('adminSite')
  const { value: server, isReadOnly } = useSetting('SLUICE_MAIL_SERVER')
  const { value: from } = useSetting('SLUICE_MAIL_FROM')
  return (
    <Section title={t('mail')} lead={t('mailLead')}>
      <TextSetting
        setting="SLUICE_MAIL_SERVER"
        label={t('label.mailServer')}
        hint={t('hint.mailServer')}
        isVerbatim
        inputMode="url"
      />
      <MailPassword />
      <TextSetting setting="SLUICE_MAIL_FROM" label={t('label.mailFrom')} hint={t('hint.mailFrom')} isVerbatim />
      {!isReadOnly && server !== '' && from !== '' && <MailTest />}
    </Section>
  )
}

function OnOff(props: {
  setting: 'SLUICE_INDEXING' | 'SLUICE_GALLERY' | 'SLUICE_PASSWORDS'
  label: string
  hint: string
}) {
  const t = useTranslations('adminSite')
  return (
    <ChoiceSetting
      {...props}
      options={[
        { value: 'off', label: t('off') },
        { value: 'on', label: t('on') },
      ]}
    />
  )
}

/** Settings of one kind, beside what they are. */
export function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-8 gap-y-4 border-t border-line py-7 md:grid-cols-[14rem_minmax(0,1fr)]">
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-ink-soft">{lead}</p>
      </div>
      <div className="flex min-w-0 flex-col gap-6">{children}</div>
    </section>
  )
}
