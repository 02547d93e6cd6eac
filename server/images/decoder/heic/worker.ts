/** Decodes a HEIC to a JPEG in a thread of the decoder process, so that the main thread can end the process when memory
 *  runs short. Its memory, which WASM never returns, ends with it. */
import { parentPort, workerData } from 'node:worker_threads'
import sharp from 'sharp'
import { decodeHeic } from './decode-heic.ts'

/** Hardly distinguishable from the original, at about its size. */
const QUALITY = 92

if (!(workerData instanceof Uint8Array)) throw new Error('a file is expected')
const { data, info } = decodeHeic(workerData)
const image = sharp(data, { raw: info })
const opaque = info.channels === 4 ? image.flatten({ background: '#fff' }) : image
const jpeg = await opaque.jpeg({ quality: QUALITY }).toBuffer()
parentPort?.postMessage({ width: info.width, height: info.height, jpeg })
