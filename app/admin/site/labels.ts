import { useTranslations } from 'use-intl/react'
import type { Setting } from './types.ts'

/** Returns the names of the settings. */
export function useLabels(): Readonly<Record<Setting, string>> {
  const t = useTranslations('adminSite')
  return {
    SLUICE_NAME: t('label.name'),
    SLUICE_TAGLINE: t('label.tagline'),
    SLUICE_ACCENT: t('label.accent'),
    SLUICE_FOOTER: t('label.footer'),
    SLUICE_LANGUAGE: t('label.language'),
    SLUICE_INDEXING: t('label.indexing'),
    SLUICE_SIGNUP: t('label.signup'),
    SLUICE_SECOND_FACTOR: t('label.secondFactor'),
    SLUICE_PASSWORDS: t('label.passwords'),
    SLUICE_GALLERY: t('label.gallery'),
    SLUICE_GUEST_UPLOAD: t('label.guestUpload'),
    SLUICE_GUEST_DAYS: t('label.guestDays'),
    SLUICE_GUEST_IMAGES: t('label.guestImages'),
    SLUICE_GUEST_STORAGE: t('label.guestStorage'),
    SLUICE_VISIBILITY: t('label.visibility'),
    SLUICE_QUOTA: t('label.quota'),
    SLUICE_MAX_UPLOAD: t('label.maxUpload'),
    SLUICE_TRASH_DAYS: t('label.trashDays'),
    SLUICE_AUDIT_DAYS: t('label.auditDays'),
    SLUICE_CACHE_SECONDS: t('label.cacheSeconds'),
    SLUICE_BACKUP_TIMES: t('label.backupTimes'),
    SLUICE_BACKUP_KEEP: t('label.backupKeep'),
    SLUICE_BACKUP_KEEP_DAYS: t('label.backupKeepDays'),
    SLUICE_BACKUP_LATE_HOURS: t('label.backupLateHours'),
    SLUICE_WEBHOOK: t('label.webhook'),
    SLUICE_WEBHOOK_EVENTS: t('label.events'),
    SLUICE_MAIL_SERVER: t('label.mailServer'),
    SLUICE_MAIL_PASSWORD: t('label.mailPassword'),
    SLUICE_MAIL_FROM: t('label.mailFrom'),
    logo: t('label.logo'),
    icon: t('label.icon'),
  }
}
