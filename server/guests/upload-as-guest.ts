import { octetInputParser } from '@trpc/server/http'
import { guestLane } from '#server/accounts/password-lanes.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { addDeletionLink, deletionUrl } from '#server/images/links/deletion-link.ts'
import { countUpload } from '#server/images/uploading/count-upload.ts'
import { receiveBody, statedFile } from '#server/images/uploading/receive-body.ts'
import type { ReceivedUpload, Upload } from '#server/images/uploading/receive-upload.ts'
import { type UploadAnswer, uploadAnswer } from '#server/images/uploading/upload-answer.ts'
import type { CallContext } from '#server/trpc/context.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { dropGuestAccount, keepGuestAccount, openGuestAccount, resizeGuestAccount } from './guest-accounts.ts'
import { guestUpload } from './limits.ts'

/** The response of guest.upload. */
export interface GuestUploadAnswer extends UploadAnswer {
  /** Deletes the image; shown once. */
  readonly deletionUrl: string
  /** ISO 8601: when the image is deleted permanently. */
  readonly endsAt: string
  /** Nobody but admins sees the image before one of them approves it. */
  readonly awaitsApproval: boolean
}

/**
 * Uploads one file of a guest, which is the request's whole body; its name is in x-file-name, URI-encoded. Each upload is an image of its
 * own, whoever else has the same file. Limits and the guests' budget refuse it before its body is accepted.
 */
export const uploadAsGuest = publicProcedure
  .meta({ limits: guestUpload, audit: { none: 'no account acts' } })
  .input(octetInputParser)
  .mutation(({ ctx, input, signal }) => countUpload(ctx.app.metrics, () => upload(ctx, { body: input, signal })))

async function upload(ctx: CallContext, sent: Pick<Upload, 'body' | 'signal'>): Promise<GuestUploadAnswer> {
  const { db } = ctx.app
  const { filename, ownerId } = await admit(ctx)
  try {
    const lane = guestLane(ctx.caller.address)
    await using received = await receiveBody(ctx, { ...sent, filename, lane })
    // Before a form has ended, which its sender decides.
    await resizeGuestAccount(db, ownerId, askedOf(ctx, received.file.original.size))
    const store = (name: string) => storeAsGuest(ctx, received, { ownerId, filename: name })
    const answer = ctx.form ? await ctx.form.whenEnded((said) => store(said.filename)) : await store(filename)
    ctx.app.metrics.add('sluice_guest_uploads_total', 'stored')
    return answer
  } catch (error) {
    ctx.app.metrics.add('sluice_guest_uploads_total', 'refused')
    await dropGuestAccount(db, ownerId).catch(() => undefined)
    throw error
  }
}

/** Reads the head and reserves a part of the budget, before the body is accepted. No bytes are charged if it is refused. */
async function admit(ctx: CallContext) {
  try {
    if (ctx.viewer) throw refuse('guests-only')
    const { maxUploadBytes, guests } = ctx.app.site.read()
    if (guests.upload === 'off') throw refuse('guest-upload-off')
    const { filename, length } = statedFile(ctx)
    return { filename, ownerId: await openGuestAccount(ctx.app.db, askedOf(ctx, length ?? maxUploadBytes)) }
  } catch (error) {
    await ctx.settle(0)
    throw error
  }
}

function askedOf({ app, caller: { address } }: CallContext, size: number) {
  const { guests, maxUploadBytes } = app.site.read()
  return { size, budget: guests.budget, maxUploadBytes, address }
}

/** Stores the image, and only then keeps its account. The setting applies as it is now: it may have changed since the head. */
async function storeAsGuest(
  { app }: CallContext,
  received: ReceivedUpload,
  image: { readonly ownerId: string; readonly filename: string },
): Promise<GuestUploadAnswer> {
  const { db, images, config } = app
  const { guests, defaultVisibility } = app.site.read()
  if (guests.upload === 'off') throw refuse('guest-upload-off')
  const awaitsApproval = guests.upload === 'approval'
  const visibility = awaitsApproval ? 'private' : toGuestVisibility(defaultVisibility)
  const stored = await images.storeReceived(received, {
    ...image,
    wish: { visibility, ofKnown: 'stays' },
    awaitsApproval,
  })
  if (stored.outcome !== 'stored') throw refuse(stored.outcome === 'over-quota' ? 'guest-budget' : stored.outcome)
  const { id } = stored.image
  const { until, link } = await transact(db, async (tx) => {
    const until = await keepGuestAccount(tx, image.ownerId, guests.days)
    return { until, link: until && (await addDeletionLink(tx, id)) }
  })
  if (!until || !link) throw refuse('owner-gone')
  return {
    ...uploadAnswer(stored.image, { ...received, isNew: true }, config.origin),
    deletionUrl: deletionUrl(config.origin, link),
    endsAt: until.toISOString(),
    awaitsApproval,
  }
}

/** A guest has no gallery of their own to find a private image in. */
export const toGuestVisibility = (visibility: 'private' | 'link' | 'public'): 'link' | 'public' =>
  visibility === 'public' ? 'public' : 'link'
