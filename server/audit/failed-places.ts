import type { AuditAction } from './actions.ts'
import type { AuditedAccount } from './audit.ts'

/** Why signing in failed, or which other secret was wrong. */
export type FailedOutcome =
  | 'wrong'
  | 'wrong-second-step'
  | 'provider'
  | 'wrong-passkey'
  | 'banned'
  | 'limited'
  | 'busy'
  | 'wrong-current-password'
  | 'wrong-passkey-proof'
  | 'wrong-setup-code'

/** What a failure is recorded as. */
export const failedActions = {
  wrong: 'account.signInFailed',
  'wrong-second-step': 'account.signInFailed',
  provider: 'account.signInFailed',
  'wrong-passkey': 'account.signInFailed',
  banned: 'account.signInFailed',
  limited: 'account.signInFailed',
  busy: 'account.signInFailed',
  'wrong-current-password': 'account.confirmFailed',
  'wrong-passkey-proof': 'account.confirmFailed',
  'wrong-setup-code': 'setup.codeFailed',
} as const satisfies Record<FailedOutcome, AuditAction>

/** A sign-in that did not succeed, or another secret that was wrong. */
export interface FailedSignIn {
  /** As in `usernameKey`; null for what can be no user name. People type passwords there, so it is never stored. */
  readonly usernameKey: string | null
  readonly outcome: FailedOutcome
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
}

/** Entries of an hour and a process: so many with an address, of which so many for one account or for all names that nobody has; then
 *  so many with an account alone; the rest is counted in one entry for each outcome. */
export const ADDRESS_ENTRIES = 150
export const ADDRESS_ENTRIES_OF_ACCOUNT = 20
export const ACCOUNT_ENTRIES = 50

/** What one row counts. */
export interface Place {
  readonly key: string
  readonly account: AuditedAccount | null
  /** Null for several addresses. */
  readonly address: string | null
}

/** The rows of an hour, and those that are about to be added. */
export class Places {
  readonly #taken = new Set<string>()
  /** Rows with an address, by account; '' for names that nobody has. */
  readonly #byAccount = new Map<string, number>()
  #withAddress = 0

  constructor(keys: Iterable<string>) {
    for (const key of keys) this.#take(key)
  }

  /** Returns where to count a failure. */
  choose({ outcome, address }: Pick<FailedSignIn, 'outcome' | 'address'>, account: AuditedAccount | null): Place {
    const id = account?.id ?? ''
    const exact = `${outcome} ${id} ${address}`
    const hasRoom = this.#withAddress < ADDRESS_ENTRIES && (this.#byAccount.get(id) ?? 0) < ADDRESS_ENTRIES_OF_ACCOUNT
    if (address !== '' && (this.#taken.has(exact) || hasRoom)) return this.#take(exact, account, address)
    const alone = `${outcome} ${id} `
    const hasRoomAlone = this.#taken.size - this.#withAddress < ACCOUNT_ENTRIES
    if (account && (this.#taken.has(alone) || hasRoomAlone)) return this.#take(alone, account)
    return this.#take(`${outcome}  `)
  }

  #take(key: string, account: AuditedAccount | null = null, address: string | null = null): Place {
    const [, id = '', from = ''] = key.split(' ')
    if (!this.#taken.has(key) && from !== '') {
      this.#withAddress += 1
      this.#byAccount.set(id, (this.#byAccount.get(id) ?? 0) + 1)
    }
    this.#taken.add(key)
    return { key, account, address }
  }
}
