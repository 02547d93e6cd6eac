/** The data of one picture as coded, measured before it is decoded. */
export interface CodedData {
  /** Views of the data, without what the picture does not need. */
  readonly parts: readonly Buffer[]
  readonly hasDropped: boolean
  /** The most pixels that the data announces. */
  readonly pixels: number
  /** One, or the layers of a picture; decoders decode all. */
  readonly frames: number
}
