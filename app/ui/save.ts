/** Downloads a path of this site. Uses a link element, so that an answer other than a file leaves the page as it is. */
export function save(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}
