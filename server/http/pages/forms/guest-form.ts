import type { Context } from '#server/trpc/context.ts'
import type { FormFailure } from './form-failure.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** A form that leads to a file or a page of its own. */
export type LinkForm =
  | { readonly kind: 'download'; readonly id: string }
  /** `after` and `limit` are '' for the first images of an album, as many as a zip has. */
  | { readonly kind: 'zip'; readonly id: string; readonly after: string; readonly limit: string }
  | { readonly kind: 'delete'; readonly link: string }

/** A form that opens a visit to a share. */
export type ShareForm = { readonly kind: 'share'; readonly link: string; readonly password: string }

/** A form that reports images: by their IDs, or by their names in a share. */
export interface ReportForm {
  readonly kind: 'report'
  readonly ids: readonly string[]
  /** The share's token; '' for none. */
  readonly link: string
  readonly visit: string
  readonly reason: string
  readonly text: string
}

/** The second step of a sign-in. */
export interface VerifyForm {
  readonly kind: 'verify'
  readonly method: string
  readonly answer: string
  /** Whether the device needs no second step from now on. */
  readonly trusts: boolean
}

/** A form about mail: asks for a link that sets a password, or uses one that confirms an address. */
export type MailForm =
  | { readonly kind: 'forgot'; readonly login: string }
  | { readonly kind: 'email'; readonly link: string }

/** Signs in by a one-time link of the owner. */
export type SignInLinkForm = { readonly kind: 'sign-in-link'; readonly link: string }

/** A sign-in by a passkey alone. */
export interface PasskeyForm {
  readonly kind: 'passkey'
  readonly answer: string
}

/** A form that creates an account or sets its password, and then signs in. */
export type AccountForm =
  | ({ readonly kind: 'sign-up'; readonly invite: string | undefined } & Credentials)
  | ({ readonly kind: 'set-up'; readonly code: string } & Credentials)
  | { readonly kind: 'password'; readonly link: string; readonly password: string; readonly repeated: string }

/** A form that a guest posts. Those with a password or an answer end in a session. */
export type GuestForm =
  | ({ readonly kind: 'sign-in' } & Credentials)
  | PasskeyForm
  | VerifyForm
  | AccountForm
  | SignInLinkForm
  | LinkForm
  | MailForm
  | ShareForm
  | ReportForm

export interface FormSender {
  readonly context: Context
  readonly signal: AbortSignal
}

export type FormOutcome =
  /** The Set-Cookie headers of the session and its device; none if the account is ready but signing in failed. */
  | {
      readonly outcome: 'done'
      readonly cookies: readonly string[]
      /** The path to go to; none if the form says where. */
      readonly location?: string
    }
  /** The Set-Cookie header of a sign-in that needs a second step. */
  | { readonly outcome: 'second-step'; readonly cookies: readonly string[] }
  | { readonly outcome: 'failed'; readonly failure: FormFailure; readonly headers: Record<string, string> }
