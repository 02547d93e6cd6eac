import { areas } from './borders/areas.ts'
import { callers } from './borders/callers.ts'
import { command } from './borders/command.ts'
import { composition } from './borders/composition.ts'
import type { Group, RoomBorders } from './borders/group.ts'
import { pages } from './borders/pages.ts'
import { parts } from './borders/parts.ts'
import { tools } from './borders/tools.ts'

const groups: readonly Group[] = [parts, areas, callers, composition, pages, command, tools]

/** Every room, by its folder, or by its file if a file has its own borders. */
export const rooms: ReadonlyMap<string, RoomBorders> = new Map(
  groups.flatMap((group) =>
    Object.entries(group.rooms).map(([name, room]) => [name, { tests: group.tests, why: group.why, ...room }]),
  ),
)
