import { router } from '#server/trpc/init.ts'
import { changePassword } from './change-password.ts'
import { createOwnerProcedure } from './create-owner.ts'
import { deleteOwnAccount, previewDeletion } from './delete-own-account.ts'
import { confirmEmailByLink } from './email/confirm-email.ts'
import { forgotPassword } from './email/forgot-password.ts'
import { removeEmail, setEmail } from './email/set-email.ts'
import { setShareMails } from './email/set-share-mails.ts'
import { showEmail } from './email/show-email.ts'
import { showEmailLink } from './email/show-email-link.ts'
import { createInvite } from './invites/create-invite.ts'
import { listInvites } from './invites/list-invites.ts'
import { revokeInvite } from './invites/revoke-invite.ts'
import { listPasswordLinks } from './links/list-password-links.ts'
import { setPasswordByLink } from './links/set-password-by-link.ts'
import { showByLink } from './links/show-by-link.ts'
import { me } from './me.ts'
import { forgetPhotoDetails, photoDetails, setPhotoDetails } from './photo-details.ts'
import { ownProfile } from './profile/own-profile.ts'
import { setDisplayName } from './profile/set-display-name.ts'
import { removePicture, setPicture } from './profile/set-picture.ts'
import { setProfile } from './profile/set-profile.ts'
import { showProfile } from './profile/show-profile.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { revokeSession } from './sessions/revoke-session.ts'
import { signOutEverywhere } from './sessions/sign-out-everywhere.ts'
import { setLocale } from './set-locale.ts'
import { signUpProcedure } from './sign-up.ts'
import { createToken } from './tokens/create-token.ts'
import { listTokens } from './tokens/list-tokens.ts'
import { revokeThisToken } from './tokens/revoke-this-token.ts'
import { revokeToken } from './tokens/revoke-token.ts'
import { banUser, unbanUser } from './users/ban-user.ts'
import { createUser } from './users/create-user.ts'
import { deleteUser } from './users/delete-user.ts'
import { listUsers } from './users/list-users.ts'
import { resetFactors } from './users/reset-factors.ts'
import { resetPassword } from './users/reset-password.ts'
import { setQuotas } from './users/set-quotas.ts'
import { updateUser } from './users/update-user.ts'

export const accountRouter = router({
  me,
  setLocale,
  photoDetails,
  setPhotoDetails,
  forgetPhotoDetails,
  setDisplayName,
  setPicture,
  removePicture,
  profile: ownProfile,
  setProfile,
  previewDeletion,
  delete: deleteOwnAccount,
  signUp: signUpProcedure,
  changePassword,
  passwordLinks: listPasswordLinks,
  showByLink,
  setPasswordByLink,
  forgotPassword,
  email: showEmail,
  setEmail,
  removeEmail,
  setShareMails,
  showEmailLink,
  confirmEmailByLink,
  sessions: listSessions,
  revokeSession,
  signOutEverywhere,
})

export const profileRouter = router({ show: showProfile })

export const setupRouter = router({ createOwner: createOwnerProcedure })

export const userRouter = router({
  list: listUsers,
  create: createUser,
  update: updateUser,
  setQuotas,
  ban: banUser,
  unban: unbanUser,
  resetFactors,
  resetPassword,
  delete: deleteUser,
})

export const inviteRouter = router({ create: createInvite, list: listInvites, revoke: revokeInvite })

export const tokenRouter = router({
  create: createToken,
  list: listTokens,
  revoke: revokeToken,
  revokeThis: revokeThisToken,
})
