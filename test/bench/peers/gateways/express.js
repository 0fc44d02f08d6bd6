import { serve } from './app.js'
import { openPlatform } from './platform.js'
import { settings } from './settings.js'
import { openStore } from './store.js'

/*
 * A gateway of Express and PostgreSQL: a request stores its message, sends it itself, and stores the outcome. What a kill
 * leaves behind is sent at the next start, whether or not it went out.
 */

const store = await openStore(settings.databaseUrl)
const attempt = openPlatform(settings.platformUrl)
await store.addKey(settings.key)

let departsNext = 0

/** Waits for the message's turn, when the line has a pace. */
async function turn() {
  if (settings.perSecond === null) return
  const now = performance.now()
  const at = Math.max(now, departsNext)
  departsNext = at + 1000 / settings.perSecond
  if (at > now) await new Promise(resolve => setTimeout(resolve, at - now))
}

async function send(message) {
  await turn()
  const outcome = await attempt(message)
  await store.settle(message.id, outcome)
  return outcome
}

const left = await store.queued()
serve({ store, send, waitMs: settings.waitMs, port: settings.port })
await Promise.all(left.map(send))
