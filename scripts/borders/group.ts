/** What the files of a room may import besides each other and Node's modules; everything else is refused. Names are separated by
 *  white space: files, packages as `package:<name>`, and folders with everything in them. */
export interface RoomBorders {
  /** Subfolders that share the room's borders. */
  readonly folders?: string
  readonly imports?: string
  /** May be imported as types only. */
  readonly types?: string
  /** What tests may import as well. */
  readonly tests?: string
  /** The reason for the borders, shown when one is crossed. */
  readonly why?: string
}

/** Rooms that share a reason and what their tests may import, unless they state their own. */
export interface Group extends Pick<RoomBorders, 'tests'> {
  readonly why: string
  readonly rooms: Readonly<Record<string, RoomBorders>>
}
