import { router } from '#server/trpc/init.ts'
import { banUser, unbanUser } from './ban-user.ts'
import { changePassword } from './change-password.ts'
import { createInvite } from './create-invite.ts'
import { createOwnerProcedure } from './create-owner.ts'
import { createToken } from './create-token.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { listInvites } from './list-invites.ts'
import { listSessions } from './list-sessions.ts'
import { listTokens } from './list-tokens.ts'
import { listUsers } from './list-users.ts'
import { me } from './me.ts'
import { resetPassword } from './reset-password.ts'
import { revokeInvite } from './revoke-invite.ts'
import { revokeSession } from './revoke-session.ts'
import { revokeThisToken } from './revoke-this-token.ts'
import { revokeToken } from './revoke-token.ts'
import { signOutEverywhere } from './sign-out-everywhere.ts'
import { signUpProcedure } from './sign-up.ts'
import { siteMaintenance } from './site-maintenance.ts'
import { updateUser } from './update-user.ts'

export const accountRouter = router({
  me,
  signUp: signUpProcedure,
  changePassword,
  sessions: listSessions,
  revokeSession,
  signOutEverywhere,
})

export const setupRouter = router({ createOwner: createOwnerProcedure })

export const userRouter = router({
  list: listUsers,
  create: createUser,
  update: updateUser,
  ban: banUser,
  unban: unbanUser,
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

export const siteRouter = router({ maintenance: siteMaintenance })
