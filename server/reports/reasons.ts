/** Why an image is reported. Entries keep these names: add some, never change one. */
export const reportReasons = ['illegal', 'sexual', 'violence', 'privacy', 'copyright', 'spam', 'other'] as const

export type ReportReason = (typeof reportReasons)[number]

/**
 * What an admin decides: `hide` makes the image private and takes it out of all shares, `trash` moves it to the trash, `ban` does
 * that and bans its owner, `dismiss` leaves it alone.
 */
export const reportActs = ['hide', 'trash', 'ban', 'dismiss'] as const

export type ReportAct = (typeof reportActs)[number]
