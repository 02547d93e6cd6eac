import type { Readable } from 'node:stream'
import type { Role } from '#server/accounts/viewer.ts'
import type { CommandResult } from '#server/owner/accounts.ts'

/** A backup on its way. */
export interface Incoming {
  readonly objects: number
  /** About as many as will come. */
  readonly bytes: number
  readonly body: Readable
  /** Once all has come: throws CommandFailed where that is not all there is. */
  finish(): Promise<void>
}

/** What the owner may do on the server's machine: asked of the server that runs, or done by the command itself. */
export interface OwnerAccess extends AsyncDisposable {
  resetPassword(input: { username: string; password: string }): Promise<CommandResult>
  createUser(input: { username: string; password: string; role: Role }): Promise<CommandResult>
  backup(): Promise<Incoming>
}
