import { passwordRequestByAccount } from '#server/accounts/email/limits.ts'
import { inviteMails } from '#server/accounts/invites/limits.ts'
import { signUps } from '#server/accounts/limits.ts'
import { pictureRoute } from '#server/accounts/profile/limits.ts'
import { signInByAccount, signInByAddress, signInByDevice } from '#server/accounts/sessions/limits.ts'
import { tokenLookups, wrongTokens } from '#server/accounts/tokens/limits.ts'
import { tokenRoutes } from '#server/accounts/tokens/token-limits.ts'
import type { Scope } from '#server/accounts/viewer.ts'
import { providerRoundRoute, secondStepByAccount, secondStepByAddress } from '#server/identity/limits.ts'
import { moderation, sharedModeration, wrongDeletionLinks } from '#server/images/limits.ts'
import { searchedPages, searching } from '#server/images/listing/limits.ts'
import { zipRoute } from '#server/images/zip/limits.ts'
import type { DeclaredRoute } from '#server/limits/rules/declared-route.ts'
import { mailByAddress, mailOfSite } from '#server/mail/limits.ts'
import { oembedRoute } from '#server/previews/limits.ts'
import { shareBytesRoute, sharePasswords, shareRoute, wrongShareLinks } from '#server/sharing/limits.ts'
import { invalidRequestsRoute } from './invalid-request.ts'
import {
  assetsRoute,
  imageRoutes,
  metricsRoute,
  pagesRoute,
  tokenBytesRoute,
  uploadFormsRoute,
  zipLinksRoute,
} from './limits.ts'

/**
 * Everything charged in addition to what procedures declare: by routes, by the sign-in, to tokens, and within
 * procedures.
 */
export const declaredRoutes: readonly DeclaredRoute<Scope>[] = [
  invalidRequestsRoute,
  pagesRoute,
  assetsRoute,
  metricsRoute,
  wrongTokens,
  tokenLookups,
  signUps,
  inviteMails,
  passwordRequestByAccount,
  mailByAddress,
  mailOfSite,
  uploadFormsRoute,
  pictureRoute,
  zipLinksRoute,
  ...Object.values(tokenRoutes),
  tokenBytesRoute,
  shareRoute,
  shareBytesRoute,
  ...Object.values(imageRoutes),
  oembedRoute,
  zipRoute,
  signInByAddress,
  signInByAccount,
  signInByDevice,
  secondStepByAddress,
  secondStepByAccount,
  providerRoundRoute,
  moderation,
  sharedModeration,
  searchedPages,
  searching,
  wrongDeletionLinks,
  wrongShareLinks,
  sharePasswords,
]
