import about from '../package.json' with { type: 'json' }

export const sluiceVersion: string = about.version
