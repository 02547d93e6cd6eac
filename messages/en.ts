import { account } from './en/account.ts'
import { admin } from './en/admin.ts'
import { adminAccess } from './en/admin-access.ts'
import { adminAdded } from './en/admin-added.ts'
import { adminBackups } from './en/admin-backups.ts'
import { adminBlocks } from './en/admin-blocks.ts'
import { adminExplain } from './en/admin-explain.ts'
import { adminJobs } from './en/admin-jobs.ts'
import { adminLimits } from './en/admin-limits.ts'
import { adminOverrides } from './en/admin-overrides.ts'
import { adminProviders } from './en/admin-providers.ts'
import { adminReports } from './en/admin-reports.ts'
import { adminSite } from './en/admin-site.ts'
import { adminSpending } from './en/admin-spending.ts'
import { adminUsers } from './en/admin-users.ts'
import { albums } from './en/albums.ts'
import { audit } from './en/audit.ts'
import { budgets } from './en/budgets.ts'
import { cli } from './en/cli.ts'
import { cliHelp } from './en/cli-help.ts'
import { clients } from './en/clients.ts'
import { credentials } from './en/credentials.ts'
import { dayChart } from './en/day-chart.ts'
import { deletion } from './en/deletion.ts'
import { errors } from './en/errors.ts'
import { factors } from './en/factors.ts'
import { failures } from './en/failures.ts'
import { fatal } from './en/fatal.ts'
import { finding } from './en/finding.ts'
import { gallery } from './en/gallery.ts'
import { guestUpload } from './en/guest-upload.ts'
import { http } from './en/http.ts'
import { image } from './en/image.ts'
import { invalid } from './en/invalid.ts'
import { invites } from './en/invites.ts'
import { linked } from './en/linked.ts'
import { mail } from './en/mail.ts'
import { mailLinks } from './en/mail-links.ts'
import { ownData } from './en/own-data.ts'
import { ownEmail } from './en/own-email.ts'
import { ownLimits } from './en/own-limits.ts'
import { passkeys } from './en/passkeys.ts'
import { profile } from './en/profile.ts'
import { reporting } from './en/reporting.ts'
import { ruleSets } from './en/rule-sets.ts'
import { shared } from './en/shared.ts'
import { sharing } from './en/sharing.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { tags } from './en/tags.ts'
import { tokens } from './en/tokens.ts'
import { trash } from './en/trash.ts'
import { ui } from './en/ui.ts'
import { upload } from './en/upload.ts'

/** Every sentence in English, by area. Pages load the areas that they show (app/page-messages.tsx). */
export const en = {
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
  cli,
  cliHelp,
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
} as const
