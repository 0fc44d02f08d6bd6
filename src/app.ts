import { Elysia } from 'elysia'
import { systemClock } from './base/clock.ts'
import type { Vault } from './base/crypto.ts'
import { type CallbackParts, callbackRoutes } from './callbacks/routes.ts'
import type { Config } from './config/config.ts'
import { internalDocumentPath, internalDocumentRoute } from './console/docs/document.ts'
import { pageRoutes } from './console/page/routes.ts'
import { type ConsoleSettings, consoleParts } from './console/parts.ts'
import { consoleRoutes } from './console/routes.ts'
import { createRemarks } from './doctor/remarks.ts'
import { lastUpgrade } from './doctor/upgradeCheck.ts'
import type { ChannelClient } from './graph/client.ts'
import type { FindSandbox } from './graph/sandbox.ts'
import { createRefusalAnswer } from './http/answers.ts'
import { docsLimit } from './http/docsLimit.ts'
import { errorHandling, lastAnswer } from './http/errors.ts'
import { createGuard, type KeyGuardParts } from './http/guard.ts'
import { answerHeadersHook } from './http/headers.ts'
import { oneHostHook } from './http/host.ts'
import type { KeyUse } from './http/keyUse.ts'
import type { RateLimiter } from './http/limiter.ts'
import { idleSecondsMax, serverBodyBytesMax } from './http/limits.ts'
import { type MetricsText, metricsRoute } from './http/metrics.ts'
import { operationRoutes, type Readiness } from './http/operation.ts'
import { createPeers } from './http/peer.ts'
import { RequestLog } from './http/requestLog.ts'
import { UnderWay } from './http/underWay.ts'
import type { FileStorage } from './media/storage.ts'
import { monthOf } from './message/plan.ts'
import { type FileReceiverParts, fileReceiver } from './operations/fileReceiver.ts'
import type { Passwords } from './operations/passwords.ts'
import { batchRoutes } from './partner/batches/routes.ts'
import { checkRoute } from './partner/check.ts'
import { contactRoutes } from './partner/contacts.ts'
import { guideRoutes, missingPage } from './partner/docs/guides/routes.ts'
import { apiDocument } from './partner/docs/viewer.ts'
import { createLinkTokens, keyOfToken } from './partner/dropIn/credentials.ts'
import { graphRefusalAnswer } from './partner/dropIn/refusals.ts'
import { dropInRoutes } from './partner/dropIn/routes.ts'
import { createEndpoint, type EndpointParts, unknownRoutes } from './partner/endpoint.ts'
import { eventsRoute } from './partner/events.ts'
import { inboundRoutes } from './partner/inbound.ts'
import { inboundReadRoute } from './partner/inboundRead.ts'
import { linesRoute } from './partner/lines.ts'
import { mediaRoute } from './partner/media.ts'
import { mediaUploadRoute } from './partner/mediaUpload.ts'
import { messagesRoute } from './partner/messages.ts'
import { scheduledRoutes } from './partner/scheduled.ts'
import { sendRoute } from './partner/send.ts'
import { statusRoute } from './partner/status.ts'
import { templatesRoute } from './partner/templates.ts'
import type { Waiting } from './partner/waiting.ts'
import { webhookRoutes } from './partner/webhooks/routes.ts'
import type { ChangeFeed } from './reading/feed.ts'
import { Passes } from './reading/passes.ts'
import { Turns } from './reading/turns.ts'
import type { KeptRequests } from './requests/kept.ts'
import type { SubmissionParts } from './sending/submission.ts'
import type { Logger } from './telemetry/log.ts'
import type { TemplateRefresher } from './templates/refresh.ts'

/** Read marks at once, and blocks: each waits for the upstream, and no slow answer may hold connections without end. */
const askedMax = { workspace: 10, all: 100 } as const

export interface AppParts extends SubmissionParts, Omit<CallbackParts, 'peers' | 'requests' | 'sending'> {
  readonly templateRefresher: Pick<TemplateRefresher, 'request' | 'renew'>
  readonly config: ConsoleSettings['config'] &
    Pick<Config, 'hasGraphApi' | 'ipRateLimit' | 'keyRateLimit' | 'trustProxy' | 'publicUrl' | 'metricsToken' | 'given'>
  readonly files: ConsoleSettings['files'] & FileReceiverParts['files']
  readonly limiter: RateLimiter
  readonly keyUse: KeyUse
  readonly keptRequests: KeptRequests
  readonly feed: ChangeFeed
  readonly passwords: Passwords
  readonly webhooks: ConsoleSettings['webhooks']
  readonly examples: ConsoleSettings['examples']
  readonly waiting: Waiting
  readonly vault: Vault
  /** Where the files of users are. */
  readonly fileStorage: FileStorage
  /** The upstream's API, for what the console changes there. */
  readonly client: ChannelClient
  readonly findSandbox: FindSandbox
  readonly backups: ConsoleSettings['backups']
  /** Where it listens; known once it does. */
  readonly ownUrl: () => string
  readonly log: Logger
  readonly version: string
  readonly checkReadiness: () => Promise<Readiness>
  readonly isStopping: () => boolean
  /** What is served beside the API, and the token for it; null: nothing. */
  readonly exposition: MetricsText | null
}

/**
 * Puts the routes together; does not listen. A hook acts on the routes after it. So the error hook is first, then comes
 * the partner API, which needs no other hook and is faster without them.
 */
export function buildApp(parts: AppParts) {
  const { config, store, limiter, keyUse, clock, log, metrics } = parts
  // By the machine's clock: it measures work.
  const turns = new Turns(systemClock, () => parts.outbox.size > 0)
  const passes = new Passes(systemClock)
  const peers = createPeers({ ...config, log })
  const requests = new RequestLog(log, clock)
  const answerRefusal = createRefusalAnswer(config.publicUrl)
  const links = createLinkTokens(parts.vault, clock)
  const asPartner = { answerRefusal }
  const asDropIn = { answerRefusal: graphRefusalAnswer, keyGiven: (request: Request) => keyOfToken(links, request) }
  const endpointFor = (
    findKey: KeyGuardParts['findKey'],
    { answerRefusal, ...how }: Pick<EndpointParts, 'answerRefusal'> & Pick<KeyGuardParts, 'keyGiven'> = asPartner,
  ) => {
    const guard = createGuard({
      findKey,
      ...how,
      limiter,
      keyUse,
      clock,
      peers,
      metrics,
      log,
      ...config,
    })
    return createEndpoint({
      store,
      guard,
      requests,
      kept: parts.keptRequests,
      turns,
      passes,
      peers,
      metrics,
      answerRefusal,
    })
  }
  const findKey: KeyGuardParts['findKey'] = keyId => store.read.key(keyId)
  const findSendingKey: KeyGuardParts['findKey'] = (keyId, isAnew) =>
    store.read.sendingKey({ keyId, month: monthOf(clock.now()), isAnew })
  const endpoint = endpointFor(findKey)
  const sendEndpoint = endpointFor(findSendingKey)
  const remarks = createRemarks({
    ...{ ...parts, read: store.read, shared: store.shared },
    turn: () => turns.take({ id: 'remarks', group: 'remarks' }),
  })
  const upgrade = () => lastUpgrade(store.read, clock.now()).catch(() => null)
  const receiveFile = fileReceiver(parts)
  const marks = new UnderWay(askedMax, 'Too many messages are being marked as read.')
  const blocks = new UnderWay(askedMax, 'Too many people are being blocked.')
  const consoleApp = consoleRoutes(
    consoleParts({
      ...parts,
      receiveFile,
      peers,
      turns,
      publicUrl: config.publicUrl,
      sending: parts,
      settings: config.given,
    }),
  )
  return new Elysia({
    // Without this the router looks for the path behind a host of at least four letters, and a shorter host would shift
    // it.
    handler: { standardHostname: false },
    serve: {
      // By default a second process could bind the same port without an error.
      reusePort: false,
      idleTimeout: idleSecondsMax,
      maxRequestBodySize: serverBodyBytesMax,
      // Without this, an error that no handler catches is shown to the caller as a page with stack, source and folder.
      development: false,
      error: cause => lastAnswer(log, answerRefusal, cause),
    },
  })
    .use(errorHandling(requests, peers, answerRefusal, missingPage(config.publicUrl)))
    .use(sendRoute(parts, sendEndpoint))
    .use(checkRoute(parts, endpoint))
    .use(messagesRoute(clock, endpoint))
    .use(batchRoutes(clock, endpoint))
    .use(linesRoute(endpoint))
    .use(statusRoute(endpoint, parts.waiting))
    .use(scheduledRoutes(parts, endpoint))
    .use(eventsRoute(endpoint, parts.waiting))
    .use(templatesRoute(parts.version, endpoint))
    .use(inboundRoutes(endpoint))
    .use(inboundReadRoute({ ...parts, read: store.read, marks }, endpoint))
    .use(mediaRoute(parts.fileStorage, endpoint))
    .use(mediaUploadRoute(receiveFile, endpoint))
    .use(webhookRoutes(parts, endpoint))
    .use(contactRoutes({ ...parts, blocks }, endpoint))
    .use(unknownRoutes(endpoint))
    .use(
      config.hasGraphApi
        ? dropInRoutes(
            { ...parts, read: store.read, marks, links, receiveFile, publicUrl: config.publicUrl },
            endpointFor(findKey, asDropIn),
            endpointFor(findSendingKey, asDropIn),
          )
        : new Elysia(),
    )
    .use(answerHeadersHook(peers))
    .use(oneHostHook())
    .use(consoleApp)
    .use(operationRoutes({ ...parts, peers, remarks, upgrade }))
    .use(metricsRoute(parts.exposition, config.metricsToken))
    .use(docsLimit({ peers, clock, metrics }))
    .use(apiDocument(peers, config.publicUrl, internalDocumentPath))
    .use(internalDocumentRoute(consoleApp))
    .use(guideRoutes())
    .use(pageRoutes())
    .use(callbackRoutes({ ...parts, peers, requests, sending: parts }))
}
