/** What a format's cleaner makes of a file. */
export type Cleaning = Cleaned | { readonly outcome: CleaningRefusal }

export interface Cleaned {
  readonly outcome: 'clean'
  /** The file anew, in order: views of the given bytes, and the little that is written anew. */
  readonly parts: readonly Uint8Array[]
  readonly header: ImageHeader
  /** What has been left out, each kind once. */
  readonly removed: readonly Removed[]
}

/** What the container says of its picture. */
export interface ImageHeader {
  /** Pixels as coded, before orientation; an animation's canvas. */
  readonly width: number
  readonly height: number
  readonly frames: number
  /** EXIF's 1 to 8. */
  readonly orientation: Orientation
}

export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** Why a file is not cleaned: it is damaged or inconsistent, its headers pass a cap, or it has a structure that is not taken. */
export type CleaningRefusal = 'undecodable' | 'too-many-pixels' | 'too-much-metadata' | 'unsupported'

/** Kinds of what an image does not need. `profile-tags` are those of a colour profile that take no part in colour; `trailer` is what stood behind the end. */
export const removedKinds = [
  'exif',
  'xmp',
  'iptc',
  'comment',
  'text',
  'preview',
  'profile-tags',
  'trailer',
  'other',
] as const

export type Removed = (typeof removedKinds)[number]
