import type { Outputs } from '#app/connection/trpc.ts'
import type { AuditAction } from '#server/audit/actions.ts'

export type AuditItem = Outputs['audit']['list']['items'][number]

/** What the sentence of each act names as its target: a field of the state before or after, or the target as recorded. */
const targets: Readonly<Record<AuditAction, 'title' | 'name' | 'target'>> = {
  'access.removeRule': 'target',
  'access.setHotlink': 'target',
  'access.setRule': 'target',
  'account.addPasskey': 'name',
  'account.changePassword': 'target',
  'account.confirmEmail': 'target',
  'account.confirmFailed': 'target',
  'account.delete': 'target',
  'account.export': 'target',
  'account.import': 'target',
  'account.linkIdentity': 'target',
  'account.remakeRecoveryCodes': 'target',
  'account.removeEmail': 'target',
  'account.removePasskey': 'name',
  'account.removePicture': 'target',
  'account.removeTotp': 'target',
  'account.renamePasskey': 'name',
  'account.revokeSession': 'target',
  'account.setDisplayName': 'target',
  'account.setEmail': 'target',
  'account.setPasswordByLink': 'target',
  'account.setPicture': 'target',
  'account.setProfile': 'target',
  'account.setUpTotp': 'target',
  'account.signIn': 'target',
  'account.signInFailed': 'target',
  'account.signOut': 'target',
  'account.signOutEverywhere': 'target',
  'account.signUp': 'target',
  'account.unlinkIdentity': 'target',
  'account.untrustDevice': 'target',
  'account.usePasskey': 'name',
  'account.useRecoveryCode': 'target',
  'admin.backup': 'target',
  'admin.resetFactors': 'target',
  'admin.resetPassword': 'target',
  'admin.restore': 'target',
  'admin.signInLink': 'target',
  'album.add': 'title',
  'album.delete': 'title',
  'album.move': 'title',
  'album.remove': 'title',
  'album.restore': 'title',
  'album.update': 'title',
  'audit.export': 'target',
  'budget.set': 'target',
  'budget.setFreeTier': 'target',
  'budget.setPrices': 'target',
  'guest.approve': 'title',
  'guest.reject': 'title',
  'image.delete': 'title',
  'image.deleteByLink': 'title',
  'image.purge': 'title',
  'image.restore': 'title',
  'image.update': 'title',
  'invite.create': 'target',
  'invite.revoke': 'target',
  'job.discard': 'target',
  'job.retry': 'target',
  'limits.clear': 'target',
  'limits.import': 'target',
  'limits.override': 'target',
  'limits.removeRuleSet': 'target',
  'limits.reset': 'target',
  'limits.setRuleSet': 'target',
  'setup.codeFailed': 'target',
  'setup.createOwner': 'target',
  'mail.test': 'target',
  'provider.create': 'name',
  'provider.delete': 'name',
  'provider.order': 'target',
  'provider.update': 'name',
  'report.reopen': 'title',
  'report.resolve': 'title',
  'share.create': 'title',
  'share.revoke': 'title',
  'share.update': 'title',
  'site.update': 'target',
  'token.create': 'name',
  'token.revoke': 'name',
  'user.ban': 'target',
  'user.create': 'target',
  'user.delete': 'target',
  'user.resetFactors': 'target',
  'user.resetPassword': 'target',
  'user.setQuotas': 'target',
  'user.unban': 'target',
  'user.update': 'target',
  'webhook.test': 'target',
}

/** Whether this version has a sentence for an action: a newer server may record others. */
export const isKnownAct = (action: string): action is AuditAction => Object.hasOwn(targets, action)

/** Returns the target's name for the act's sentence. */
export function nameTarget({ action, target, before, after }: AuditItem): string {
  const field = isKnownAct(action) ? targets[action] : 'target'
  const named = readText(before, field) ?? readText(after, field)
  return (field === 'target' ? null : named) ?? target
}

/** Returns the reason or note that the act states; null without one. */
export const readNote = ({ after }: AuditItem): string | null => readText(after, 'reason') ?? readText(after, 'note')

function readText(state: AuditItem['after'], field: string): string | null {
  if (typeof state !== 'object' || state === null) return null
  const value: unknown = Reflect.get(state, field)
  return typeof value === 'string' && value !== '' ? value : null
}
