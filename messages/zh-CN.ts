import type { en } from './en.ts'
import type { Shape } from './shape.ts'
import { account } from './zh-CN/account.ts'
import { admin } from './zh-CN/admin.ts'
import { adminAccess } from './zh-CN/admin-access.ts'
import { adminAdded } from './zh-CN/admin-added.ts'
import { adminBackups } from './zh-CN/admin-backups.ts'
import { adminBlocks } from './zh-CN/admin-blocks.ts'
import { adminExplain } from './zh-CN/admin-explain.ts'
import { adminJobs } from './zh-CN/admin-jobs.ts'
import { adminLimits } from './zh-CN/admin-limits.ts'
import { adminOverrides } from './zh-CN/admin-overrides.ts'
import { adminProviders } from './zh-CN/admin-providers.ts'
import { adminReports } from './zh-CN/admin-reports.ts'
import { adminSite } from './zh-CN/admin-site.ts'
import { adminSpending } from './zh-CN/admin-spending.ts'
import { adminUsers } from './zh-CN/admin-users.ts'
import { albums } from './zh-CN/albums.ts'
import { audit } from './zh-CN/audit.ts'
import { budgets } from './zh-CN/budgets.ts'
import { clients } from './zh-CN/clients.ts'
import { credentials } from './zh-CN/credentials.ts'
import { dayChart } from './zh-CN/day-chart.ts'
import { deletion } from './zh-CN/deletion.ts'
import { errors } from './zh-CN/errors.ts'
import { factors } from './zh-CN/factors.ts'
import { failures } from './zh-CN/failures.ts'
import { fatal } from './zh-CN/fatal.ts'
import { finding } from './zh-CN/finding.ts'
import { gallery } from './zh-CN/gallery.ts'
import { guestUpload } from './zh-CN/guest-upload.ts'
import { http } from './zh-CN/http.ts'
import { image } from './zh-CN/image.ts'
import { invalid } from './zh-CN/invalid.ts'
import { invites } from './zh-CN/invites.ts'
import { linked } from './zh-CN/linked.ts'
import { mail } from './zh-CN/mail.ts'
import { mailLinks } from './zh-CN/mail-links.ts'
import { ownData } from './zh-CN/own-data.ts'
import { ownEmail } from './zh-CN/own-email.ts'
import { ownLimits } from './zh-CN/own-limits.ts'
import { passkeys } from './zh-CN/passkeys.ts'
import { profile } from './zh-CN/profile.ts'
import { reporting } from './zh-CN/reporting.ts'
import { ruleSets } from './zh-CN/rule-sets.ts'
import { shared } from './zh-CN/shared.ts'
import { sharing } from './zh-CN/sharing.ts'
import { shell } from './zh-CN/shell.ts'
import { signIn } from './zh-CN/sign-in.ts'
import { tags } from './zh-CN/tags.ts'
import { tokens } from './zh-CN/tokens.ts'
import { trash } from './zh-CN/trash.ts'
import { ui } from './zh-CN/ui.ts'
import { upload } from './zh-CN/upload.ts'

/** Every sentence in Simplified Chinese, by area. The command line speaks English only. */
export const zhCN = {
  account,
  admin,
  adminAccess,
  adminAdded,
  adminBackups,
  adminBlocks,
  adminExplain,
  adminJobs,
  adminLimits,
  adminOverrides,
  adminProviders,
  adminReports,
  adminSite,
  adminSpending,
  adminUsers,
  albums,
  audit,
  budgets,
  clients,
  credentials,
  dayChart,
  deletion,
  errors,
  factors,
  failures,
  fatal,
  finding,
  gallery,
  guestUpload,
  http,
  image,
  invalid,
  invites,
  mail,
  mailLinks,
  linked,
  ownData,
  ownEmail,
  ownLimits,
  passkeys,
  profile,
  reporting,
  ruleSets,
  shared,
  sharing,
  shell,
  signIn,
  tags,
  tokens,
  trash,
  ui,
  upload,
} as const satisfies Shape<Omit<typeof en, 'cli' | 'cliHelp'>>
