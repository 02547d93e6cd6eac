import type { ListedProvider } from './types.ts'

/** A provider while it is entered. */
export interface Draft extends Pick<ListedProvider, 'name' | 'issuer' | 'clientId' | 'scopes' | 'label' | Choice> {
  /** Empty for the one that is stored, or for none. */
  readonly clientSecret: string
}

type Choice = 'opensAccounts' | 'linksByEmail' | 'secondFactor' | 'endsSession' | 'isEnabled'

const blank: Draft = {
  ...{ name: '', issuer: '', clientId: '', clientSecret: '', label: '' },
  scopes: 'openid profile email',
  ...{ opensAccounts: false, linksByEmail: false, endsSession: true, isEnabled: true },
  secondFactor: 'here',
}

export function beginDraft(known: ListedProvider | null): Draft {
  if (!known) return blank
  const { name, issuer, clientId, scopes, label, opensAccounts, linksByEmail, secondFactor, endsSession, isEnabled } =
    known
  return {
    ...{ name, issuer, clientId, scopes, label, opensAccounts, linksByEmail, secondFactor, endsSession, isEnabled },
    clientSecret: '',
  }
}

export const isChangedDraft = (draft: Draft, known: ListedProvider | null): boolean =>
  JSON.stringify(draft) !== JSON.stringify(beginDraft(known))

/** Returns what `provider.update` takes, without the secret if the stored one stays. */
export function toChange({ name: _, issuer: __, clientSecret, ...draft }: Draft) {
  return { ...draft, ...(clientSecret !== '' && { clientSecret }) }
}
