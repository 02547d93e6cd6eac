/** Saves what lies at a path of this site, by an element that asks for it: an answer other than a file leaves the page as it is. */
export function save(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}
