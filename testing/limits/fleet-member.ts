/** A separate process that is a member of a fleet until it is killed. Reports when it sees another member. */
import { RedisFleet } from '#server/limits/fleet/redis-fleet.ts'

const [redisUrl = '', beatMs = '1000'] = process.argv.slice(2)
const fleet = new RedisFleet(redisUrl, Number(beatMs))
fleet.show(() => `of ${process.pid}`)
fleet.hear('question', (question) => fleet.tell('answer', `${question} is heard by ${process.pid}`))
process.send?.('begun')
// The fleet does not keep the process alive.
setInterval(() => {}, 1_000)
