import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import { isTracedAsError } from '../message/statuses.ts'
import type { Logger } from '../telemetry/log.ts'
import type { SendTrace, Tracer } from '../telemetry/tracing.ts'

/** Spans that wait for the collector, some 2 MB; beyond that, spans are dropped. */
const waitingSpansMax = 2_048
/** Spans of one request to the collector. It is sent when this many are there, and at least every five seconds. */
const batchSpansMax = 512
const batchMs = 5_000
/** A batch that is still not exported by then, after some retries, is dropped. */
const exportMsMax = 10_000
/** How long a stop waits for the last batch. */
const stopMsMax = 2_000
/** Failed exports are logged once in ten minutes: a collector may be down for a weekend. */
const warnMs = 10 * minuteMs

export interface TracerParts {
  /** The collector, without `/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly version: string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Sends a trace of each send to an OpenTelemetry collector: one span for the send, and in it one for each stage that
 * does something. Loads the libraries, which are not needed without a collector.
 */
export async function createTracer({ url, headers, version, clock, log }: TracerParts): Promise<Tracer> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api')
  const { ExportResultCode, parseTraceParent } = await import('@opentelemetry/core')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')

  const collector = new OTLPTraceExporter({ url: `${url}/v1/traces`, headers, timeoutMillis: exportMsMax })
  let warnedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  function warn(why: string | undefined) {
    failures += 1
    if (clock.steady() - warnedAt < warnMs) return
    warnedAt = clock.steady()
    log.warn({ url, batches: failures, why }, 'traces could not be exported to the collector and are dropped')
    failures = 0
  }
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'waypost', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({
        maxQueueSize: waitingSpansMax,
        maxExportBatchSize: batchSpansMax,
        scheduledDelayMillis: batchMs,
        exportTimeoutMillis: 2 * exportMsMax,
        exporter: {
          export: (spans, onResult) =>
            collector.export(spans, ({ code, error }) => {
              if (code !== ExportResultCode.SUCCESS) warn(error?.message)
              // A failure would go to a handler that the whole process shares.
              onResult({ code: ExportResultCode.SUCCESS })
            }),
          forceFlush: () => collector.forceFlush(),
          shutdown: () => collector.shutdown(),
        },
      }),
    ],
  })
  const tracer = provider.getTracer('waypost', version)

  return {
    begin(traceparent, startedAt, attributes) {
      const parent = traceparent === null ? null : parseTraceParent(traceparent)
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
      const span = tracer.startSpan('send', { kind: SpanKind.SERVER, startTime: startedAt, attributes }, context)
      // The caller traces, and has chosen not to record this one.
      if (!span.isRecording()) return null
      const inSend = trace.setSpan(context, span)
      const sendTrace: SendTrace = {
        stage(stage, tookMs, result) {
          // Between two of the others, so it shows by itself.
          if (stage === 'wait') return
          const now = clock.now()
          const kind = stage === 'upstream' ? SpanKind.CLIENT : SpanKind.INTERNAL
          const part = tracer.startSpan(stage, { kind, startTime: now - tookMs }, inSend)
          if (result) {
            part.setAttributes({ 'waypost.result': result.result, 'waypost.upstream.code': result.code })
            if (result.result !== 'accepted') part.setStatus({ code: SpanStatusCode.ERROR })
          }
          part.end(now)
        },
        end(outcome) {
          span.setAttribute('waypost.outcome', outcome)
          if (isTracedAsError.statuses.some(status => status === outcome))
            span.setStatus({ code: SpanStatusCode.ERROR })
          span.end(clock.now())
        },
      }
      return sendTrace
    },

    async stop() {
      const late = Promise.withResolvers<void>()
      const cancelTimer = clock.setTimer(stopMsMax, late.resolve)
      await Promise.race([provider.shutdown().catch(error => warn(String(error))), late.promise])
      cancelTimer()
    },
  }
}
