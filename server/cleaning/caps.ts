/** Pixels of one frame. 100 megapixels took 0.4 GB in the worst encoding of each format. */
export const MAX_PIXELS = 100_000_000

export const MAX_FRAMES = 1_000

/** Pixels of all frames together: the canvas size times the number of frames. */
export const MAX_TOTAL_PIXELS = 250_000_000

/** Pixels that browsers allocate although the picture does not have them: canvas that no frame covers, and coded pixels
 *  that are cut off. They take up to 16 bytes each, in planes and as displayed. */
export const MAX_HIDDEN_PIXELS = 2_000_000

/** Pixels of a JPEG times its scans, each of which passes over the whole picture: about a second of a decoder's time. */
export const MAX_SCANNED_PIXELS = 2_500_000_000

/** Bytes of a file that are neither coded pixels nor a trailer. */
export const MAX_METADATA = 8 * 1024 * 1024

/** Bytes of a colour profile, uncompressed. */
export const MAX_PROFILE = 4 * 1024 * 1024
