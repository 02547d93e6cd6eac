interface Owner {
  /** The display name. */
  readonly name: string | null
  /** Set for admins and the owner alone. */
  readonly username: string | null
}

/** Returns the name of an image's owner as the viewer may see it; null if they see none. */
export const ownerName = ({ name, username }: Owner): string | null => name ?? username
