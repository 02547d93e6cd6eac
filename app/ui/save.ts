/** Downloads a path of this site. Uses a link element, so that an answer other than a file leaves the page as it is. */
export function save(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}

/** Downloads texts as one file. */
export function saveText(texts: readonly string[], { name, type }: { name: string; type: string }): void {
  const url = URL.createObjectURL(new Blob([...texts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
