/** The version of the rules. With a higher one, a job cleans again what is stored: raise it when the rules refuse or write
 *  something else than before. */
export const CLEANING_VERSION = 1

/** The result of a format's cleaner. */
export type Cleaning = Cleaned | { readonly outcome: CleaningRefusal }

export interface Cleaned {
  readonly outcome: 'clean'
  /** The clean file in order: views of the given bytes, and the few that were rewritten. */
  readonly parts: readonly Uint8Array[]
  readonly header: ImageHeader
  /** What was left out, each kind once. */
  readonly removed: readonly Removed[]
  /** The EXIF block as found; undefined without one. */
  readonly exif?: Buffer | undefined
}

/** The picture as described by its container. */
export interface ImageHeader {
  /** Pixels as coded, before orientation; the canvas of an animation. */
  readonly width: number
  readonly height: number
  readonly frames: number
  /** EXIF's 1 to 8. */
  readonly orientation: Orientation
}

export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** Why a file was not cleaned: it is damaged or inconsistent, its headers exceed a cap, or it has a structure that is
 *  not supported. */
export type CleaningRefusal = 'undecodable' | 'too-many-pixels' | 'too-much-metadata' | 'unsupported'

/** What can be left out of an image. `profile-tags` are the parts of a colour profile that do not affect colour; `trailer`
 *  is whatever followed the end. */
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
