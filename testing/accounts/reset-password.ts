import type { Person, TestApp } from '../sluice/sluice-app.ts'

/** Sets a user's password by a link that `by` creates, opened from another address. */
export async function resetPassword(test: TestApp, by: Person, id: string, password: string): Promise<void> {
  const { url } = await test.as(by).user.resetPassword({ id })
  await test.as(null, '198.51.100.77').account.setPasswordByLink({ link: linkIn(url), password })
}

/** Returns the secret part of a link's URL. */
export const linkIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1)
