/** Sluice cannot start; the message is for the owner. Any other error at start is a bug and is printed with its stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

/** A setting that cannot work; the message names it and says what to change. */
export class InvalidSetting extends CannotStart {
  override name = 'InvalidSetting'
}
