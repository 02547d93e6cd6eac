/** Copies text to the clipboard; throws if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // Pages served without TLS have no clipboard API, and some browsers refuse it: execCommand may still work.
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  if (!isCopied && !copySelected(text)) throw new Error('the browser blocked copying')
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}

const refused = new EventTarget()

/** Copies text. If the browser refuses, shows it selected, for the user to copy. Returns whether it was copied. */
export async function copyOrShow(text: string): Promise<boolean> {
  try {
    await copyText(text)
    return true
  } catch {
    refused.dispatchEvent(new CustomEvent('refused', { detail: text }))
    return false
  }
}

/** Calls `show` with each text that the browser refuses to copy. Returns a function that stops that. */
export function hearRefusedCopies(show: (text: string) => void): () => void {
  const hear = (event: Event) => {
    if (event instanceof CustomEvent) show(String(event.detail))
  }
  refused.addEventListener('refused', hear)
  return () => refused.removeEventListener('refused', hear)
}
