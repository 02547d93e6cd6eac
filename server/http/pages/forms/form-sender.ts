import type { Context } from '#server/trpc/context.ts'

/** Returns where a form comes from. */
export const readSender = ({ caller, header, requestId }: Context) => ({
  address: caller.address,
  userAgent: header('user-agent') ?? '',
  requestId,
  cookie: header('cookie'),
})
