declare global {
  /** The button that was clicked last, until it is known that its click was heard. */
  var earlyClick: Element | null | undefined
}

/** Runs before all other scripts of a page: a click on a button is otherwise lost until React has reached that button, which takes
 *  a second or more on a slow phone. */
export const earlyClickScript =
  "addEventListener('click',(e)=>{earlyClick=e.target.closest?.('button[type=button]')},true)"

/** Repeats a click on `button` that nothing heard. Call it when the button works, and `forgetEarlyClick` when it hears a click. */
export function repeatEarlyClick(button: HTMLButtonElement): void {
  if (globalThis.earlyClick !== button) return
  forgetEarlyClick()
  // By then the components around the button have run their effects too.
  setTimeout(() => button.click())
}

export function forgetEarlyClick(): void {
  globalThis.earlyClick = null
}
