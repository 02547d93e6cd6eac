import type { CDPSession, Page } from '@playwright/test'

/** An authenticator that Chromium has in place of the machine's, for one page. */
export interface VirtualAuthenticator {
  /** Whether its user passes its check. */
  verify(passes: boolean): Promise<void>
  /** Whether its user touches it when they are asked. */
  touch(touches: boolean): Promise<void>
  count(): Promise<number>
}

/** Gives a page an authenticator like that of a phone or a laptop, whose user always agrees. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verify: async (isUserVerified) =>
      void (await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    touch: async (enabled) =>
      void (await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    count: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
