import type { Config } from '#server/config.ts'
import type { SchemaWanted } from '#server/database/schema-wanted.ts'
import { createUser, resetPassword } from '#server/owner/accounts.ts'
import { openBackup } from '#server/owner/backup/write-backup.ts'
import { openDirectly } from '#server/owner/open-directly.ts'
import type { OwnerAccess } from './access.ts'

/** Does what the owner asks in this process, over what a server would have open. Throws CannotStart. */
export async function openHere(
  config: Config,
  wanted: SchemaWanted,
  say: (line: string) => void,
): Promise<OwnerAccess> {
  const opened = await openDirectly(config, wanted, say)
  return {
    resetPassword: (input) => resetPassword(opened.db, input),
    createUser: (input) => createUser(opened.db, input),
    async backup() {
      const { manifest, body, ended } = await openBackup(opened)
      return {
        objects: manifest.objects.count,
        bytes: manifest.objects.bytes + manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0),
        body,
        finish: () => ended,
      }
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}
