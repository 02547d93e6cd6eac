import about from '../package.json' with { type: 'json' }

/** The version of Sluice that runs. */
export const sluiceVersion: string = about.version
