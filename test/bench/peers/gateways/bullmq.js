import { Queue, QueueEvents, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { serve } from './app.js'
import { openPlatform } from './platform.js'
import { settings } from './settings.js'
import { openStore } from './store.js'

/*
 * A gateway of Express, PostgreSQL and BullMQ: a request stores its message and puts a job into Redis; a worker sends it,
 * stores the outcome and ends the job, which the request waits for. A job whose worker was killed is taken up by another.
 */

/** The platform takes 300 ms and more, and most of a job is waiting for it. */
const concurrency = 2_000
/** A third of what is usual, so that a killed worker's jobs are taken up sooner. */
const [lockDuration, stalledInterval] = [10_000, 5_000]
const name = 'sends'

const store = await openStore(settings.databaseUrl)
const attempt = openPlatform(settings.platformUrl)
await store.addKey(settings.key)

const connect = () => new Redis(settings.redisUrl, { maxRetriesPerRequest: null })
const queue = new Queue(name, { connection: connect() })
const ended = new QueueEvents(name, { connection: connect() })
// Each caller that waits listens at both.
queue.setMaxListeners(0)
ended.setMaxListeners(0)
await ended.waitUntilReady()

const worker = new Worker(
  name,
  async ({ data: message, stalledCounter }) => {
    // A worker that was killed may have stored the outcome, and not ended the job.
    const stored = stalledCounter > 0 ? await store.find(message.id) : undefined
    if (stored !== undefined && stored.status !== 'QUEUED') return stored
    const outcome = await attempt(message)
    await store.settle(message.id, outcome)
    return outcome
  },
  {
    ...{ connection: connect(), concurrency, lockDuration, stalledInterval },
    ...(settings.perSecond !== null && { limiter: { max: settings.perSecond, duration: 1000 } }),
  },
)
worker.on('error', error => console.error(error.message))

/** The job has the message's id: it is put in once. */
const enqueue = message => queue.add('send', message, { jobId: message.id, removeOnComplete: true, removeOnFail: true })

async function send(message) {
  const job = await enqueue(message)
  return job.waitUntilFinished(ended)
}

// Stored, but perhaps killed before the job was put in.
for (const message of await store.queued()) await enqueue(message)
serve({ store, send, waitMs: settings.waitMs, port: settings.port })
