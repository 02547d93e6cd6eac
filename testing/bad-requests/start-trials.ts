import { behindProxy } from '../http/image-client.ts'
import { startApp } from '../sluice/sluice-app.ts'
import { drawCall } from './calls.ts'
import { drawChunks, drawHead, drawLargeHead, drawPipeline, drawSmuggling } from './framing.ts'
import { drawRead, drawUpload } from './reads.ts'
import { makeBadRequestScene } from './scene.ts'
import { attemptAll, problemsBehind, REQUEST_MS, type Trial, type Trials, watchConnections } from './trials.ts'

export interface StartedTrials extends Trials, AsyncDisposable {
  /** Sends this many requests, each on a connection of its own. */
  attemptAll(count: number): Promise<Trial[]>
  /** What the server has failed at, or has left behind. Call it after the trials. */
  problemsBehind(): Promise<string[]>
}

/** Starts a server for bad requests, which are drawn by the seed. */
export async function startTrials(seed: number): Promise<StartedTrials> {
  await using started = new AsyncDisposableStack()
  const server = started.use(await startApp(behindProxy, { requestMs: REQUEST_MS }))
  const failures: string[] = []
  const { app } = server
  Object.assign(app, {
    logFailure: (facts: { readonly err?: unknown }, message: string) =>
      failures.push(`${message}: ${facts.err instanceof Error ? facts.err.stack : JSON.stringify(facts)}`),
  })
  const trials: Trials = {
    server,
    seed,
    open: watchConnections(server),
    scene: await makeBadRequestScene(server),
    draws: [
      drawHead,
      drawLargeHead,
      drawSmuggling,
      drawChunks,
      drawPipeline,
      drawCall,
      drawCall,
      drawCall,
      drawRead,
      drawUpload,
    ],
  }
  const running = started.move()
  return {
    ...trials,
    attemptAll: (count) => attemptAll(trials, count),
    problemsBehind: () => problemsBehind(trials, failures),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
