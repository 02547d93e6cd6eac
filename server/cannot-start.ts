/** Why Sluice cannot start, in words for whoever starts it; everything else that ends a start is a bug and shows its stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

/** A setting that cannot work; the message names it and says what to change. */
export class InvalidSetting extends CannotStart {
  override name = 'InvalidSetting'
}
