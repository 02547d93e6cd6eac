/**
 * Every act that is recorded, by the name that entries keep for years: add names, never change one. Each has a sentence in
 * `messages/en/audit.ts`. A mutation declares its action in its meta (`audit`), and most are named for it.
 */
export const auditActions = [
  'access.removeRule',
  'access.setHotlink',
  'access.setRule',
  'account.changePassword',
  'account.delete',
  'account.export',
  'account.removePicture',
  'account.revokeSession',
  'account.setDisplayName',
  'account.setPasswordByLink',
  'account.setPicture',
  'account.signIn',
  'account.signInFailed',
  'account.signOut',
  'account.signOutEverywhere',
  'account.signUp',
  'admin.backup',
  'admin.resetPassword',
  'admin.restore',
  'audit.export',
  'budget.set',
  'budget.setFreeTier',
  'budget.setPrices',
  'image.delete',
  'image.deleteByLink',
  'image.purge',
  'image.restore',
  'image.update',
  'invite.create',
  'invite.revoke',
  'job.discard',
  'job.retry',
  'limits.clear',
  'limits.override',
  'limits.reset',
  'setup.createOwner',
  'site.update',
  'token.create',
  'token.revoke',
  'user.ban',
  'user.create',
  'user.delete',
  'user.resetPassword',
  'user.setQuotas',
  'user.unban',
  'user.update',
  'webhook.test',
] as const

export type AuditAction = (typeof auditActions)[number]

/** The part of an action's name before the dot, by which entries are filtered. */
export const auditKinds = [
  'account',
  'token',
  'user',
  'invite',
  'image',
  'limits',
  'budget',
  'access',
  'site',
  'job',
  'webhook',
  'audit',
  'admin',
  'setup',
] as const satisfies readonly KindIn<AuditAction>[]

export type AuditKind = (typeof auditKinds)[number]

type KindIn<Action extends string> = Action extends `${infer Kind}.${string}` ? Kind : never
