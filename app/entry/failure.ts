/** Why a form failed, as the server answers: a message and the data of a tRPC error. */
export interface FormFailure {
  readonly message: string
  readonly data?: unknown
}

/** The same as an error, which `useErrorMessage` and `findRefusal` understand. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly data: unknown

  constructor({ message, data }: FormFailure) {
    super(message)
    this.data = data
  }
}
