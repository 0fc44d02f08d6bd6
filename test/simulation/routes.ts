import type { Store } from '../../db/contract/store.ts'
import type { Credentials } from '../../src/base/credentials.ts'
import { rateWindowMs } from '../../src/base/rateLimits.ts'
import { callbackRoutes } from '../../src/callbacks/routes.ts'
import type { ChannelClient } from '../../src/graph/client.ts'
import { createRefusalAnswer } from '../../src/http/answers.ts'
import { createGuard, type KeyGuardParts } from '../../src/http/guard.ts'
import { KeyUse } from '../../src/http/keyUse.ts'
import { Limiter } from '../../src/http/limiter.ts'
import { createPeers } from '../../src/http/peer.ts'
import { RequestLog } from '../../src/http/requestLog.ts'
import { UnderWay } from '../../src/http/underWay.ts'
import type { FileStorage } from '../../src/media/storage.ts'
import { monthOf } from '../../src/message/plan.ts'
import type { FileReceiver } from '../../src/operations/fileReceiver.ts'
import { batchRoutes } from '../../src/partner/batches/routes.ts'
import { createLinkTokens, keyOfToken } from '../../src/partner/dropIn/credentials.ts'
import { graphRefusalAnswer } from '../../src/partner/dropIn/refusals.ts'
import { dropInRoutes } from '../../src/partner/dropIn/routes.ts'
import { createEndpoint, type EndpointParts } from '../../src/partner/endpoint.ts'
import { mediaRoute } from '../../src/partner/media.ts'
import { mediaUploadRoute } from '../../src/partner/mediaUpload.ts'
import { scheduledRoutes } from '../../src/partner/scheduled.ts'
import { sendRoute } from '../../src/partner/send.ts'
import { statusRoute } from '../../src/partner/status.ts'
import type { Waiting } from '../../src/partner/waiting.ts'
import { webhookRoutes } from '../../src/partner/webhooks/routes.ts'
import { Passes } from '../../src/reading/passes.ts'
import { Turns } from '../../src/reading/turns.ts'
import { KeptRequests } from '../../src/requests/kept.ts'
import type { Outbox } from '../../src/sending/outbox.ts'
import type { SubmissionParts } from '../../src/sending/submission.ts'
import type { Logger } from '../../src/telemetry/log.ts'
import type { Metrics } from '../../src/telemetry/metrics.ts'
import type { TemplateRefresher } from '../../src/templates/refresh.ts'
import { Replays } from '../../src/webhooks/replays.ts'
import { Door } from './door.ts'
import { vault } from './tenants.ts'

interface DoorParts extends SubmissionParts {
  readonly store: Store
  readonly credentials: Credentials
  readonly outbox: Outbox
  readonly templateRefresher: TemplateRefresher
  readonly client: ChannelClient
  readonly waiting: Waiting
  readonly metrics: Metrics
  readonly log: Logger
  readonly fileStorage: FileStorage
  readonly receiveFile: FileReceiver
}

const nobody = () => {
  throw new Error('no receiver is asked here')
}

/**
 * What a gateway answers, as `src/app.ts` puts it together; limits of addresses and keys are left out.
 * @returns `stop` writes what is gathered, and begins no further step of a replay
 */
export async function openDoor(parts: DoorParts) {
  const { clock, log, metrics, outbox, store, waiting } = parts
  const windows = await store.read.rateWindows(clock.now() - rateWindowMs)
  const limiter = new Limiter({ write: store.write, clock, log }, windows)
  const keyUse = new KeyUse({ write: store.write, clock, log })
  const kept = new KeptRequests({ write: store.write, clock, log })
  const peers = createPeers({ trustProxy: [], publicUrl: null, log })
  const requests = new RequestLog(log, clock)
  const answerRefusal = createRefusalAnswer(null)
  const turns = new Turns(clock, () => outbox.size > 0)
  const links = createLinkTokens(vault, clock)
  const asPartner = { answerRefusal }
  const asDropIn = { answerRefusal: graphRefusalAnswer, keyGiven: (request: Request) => keyOfToken(links, request) }
  const endpointFor = (
    findKey: KeyGuardParts['findKey'],
    how: Pick<EndpointParts, 'answerRefusal'> & Pick<KeyGuardParts, 'keyGiven'> = asPartner,
  ) =>
    createEndpoint({
      ...{ store, requests, kept, turns, passes: new Passes(clock), peers, metrics, answerRefusal: how.answerRefusal },
      guard: createGuard({
        ...{ findKey, ...how, limiter, keyUse, clock, peers, metrics, log },
        ...{ ipRateLimit: 0, keyRateLimit: 0 },
      }),
    })
  const findKey: KeyGuardParts['findKey'] = keyId => store.read.key(keyId)
  const findSendingKey: KeyGuardParts['findKey'] = (keyId, isAnew) =>
    store.read.sendingKey({ keyId, month: monthOf(clock.now()), isAnew })
  const endpoint = endpointFor(findKey)
  const sendEndpoint = endpointFor(findSendingKey)
  const replays = new Replays(clock)
  const webhooks = {
    ...{ vault, replays, addresses: { hintOf: async () => null }, attempts: { attempt: nobody, verify: nobody } },
    verifications: { run: nobody },
  }
  const graph = {
    ...{ ...parts, read: store.read, links, webhooks, vault, publicUrl: null },
    marks: new UnderWay({ workspace: 10, all: 100 }, 'Too many messages are being marked as read.'),
  }
  const door = new Door(
    [
      dropInRoutes(graph, endpointFor(findKey, asDropIn), endpointFor(findSendingKey, asDropIn)),
      sendRoute(parts, sendEndpoint),
      batchRoutes(clock, endpoint),
      statusRoute(endpoint, waiting),
      mediaRoute(parts.fileStorage, endpoint),
      mediaUploadRoute(parts.receiveFile, endpoint),
      scheduledRoutes(parts, endpoint),
      webhookRoutes({ store, webhooks }, endpoint),
      callbackRoutes({ ...parts, peers, requests, sending: parts }),
    ],
    answerRefusal,
  )
  return {
    door,
    endReplays: () => replays.stop(),
    async save() {
      await kept.stop()
      await keyUse.save()
      await limiter.save()
    },
  }
}
