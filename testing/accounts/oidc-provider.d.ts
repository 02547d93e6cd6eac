declare module 'oidc-provider' {
  type Request = import('node:http').IncomingMessage
  type Response = import('node:http').ServerResponse

  /** What tests use of the provider, which has no types of its own. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (req: Request, res: Response) => Promise<void>
    interactionFinished(req: Request, res: Response, result: object): Promise<void>
  }
}
