import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { loadThings } from '../named-things.ts'
import { createSubjectNamer } from '../shown-subject.ts'
import type { OverrideTarget } from './override-target.ts'

/** A target as a viewer may see it. */
export interface ShownTarget {
  readonly target: OverrideTarget
  /** The name of a subject, or the title of what a value names; null for none. */
  readonly name: string | null
}

/** Describes one of the targets that were loaded. */
export type TargetNamer = (target: OverrideTarget) => ShownTarget

/** Shown in place of a value, which may be the link of what the viewer may not see. */
const HIDDEN = '…'

/** Loads what the targets name, for one viewer. */
export async function createTargetNamer(
  db: PrismaClient,
  origin: string,
  targets: readonly OverrideTarget[],
  viewer: Viewer,
): Promise<TargetNamer> {
  const subjects = targets.flatMap((target) => (target.kind === 'subject' ? target.subject : []))
  const values = targets.flatMap((target) => (target.kind === 'argument' ? { argument: target.value } : []))
  const nameSubject = await createSubjectNamer(db, subjects, viewer)
  const things = await loadThings(db, origin, values)
  return (target) => {
    if (target.kind === 'subject') {
      const { key, name } = nameSubject(target.subject)
      return { target: { ...target, subject: key }, name }
    }
    if (target.kind !== 'argument') return { target, name: null }
    const thing = things.get(target.value)
    const isShown = thing ? thing.mayRead(viewer) : isSuperadmin(viewer)
    return isShown ? { target, name: thing?.title || null } : { target: { ...target, value: HIDDEN }, name: null }
  }
}
