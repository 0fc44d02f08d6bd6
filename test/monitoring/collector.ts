interface Value {
  readonly stringValue?: string
  readonly intValue?: number
}

/** A span as it comes over the wire, with its attributes as an object. */
export interface CollectedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string>>
  readonly status: { readonly code?: number }
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: Value }[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & { attributes: { key: string; value: Value }[] })[]
    }[]
  }[]
}

const attributesOf = (attributes: readonly { key: string; value: Value }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? String(value.intValue)]))

/** A collector of traces: takes what OTLP sends over HTTP as JSON. */
export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  readonly resources: Readonly<Record<string, string>>[]
  readonly requests: { readonly path: string; readonly headers: Headers; readonly text: string }[]
  /** The spans of one send, by name. */
  sendOf(messageId: string): Readonly<Record<string, CollectedSpan>> | null
  stop(): Promise<void>
}

export function startCollector(): Collector {
  const collector: Pick<Collector, 'spans' | 'resources' | 'requests'> = { spans: [], resources: [], requests: [] }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text()
      collector.requests.push({ path: new URL(request.url).pathname, headers: request.headers, text })
      for (const { resource, scopeSpans } of (JSON.parse(text) as Exported).resourceSpans) {
        collector.resources.push(attributesOf(resource.attributes))
        for (const { attributes, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
          collector.spans.push({ ...span, attributes: attributesOf(attributes) })
        }
      }
      return Response.json({})
    },
  })
  return {
    ...collector,
    url: `http://127.0.0.1:${server.port}`,
    sendOf(messageId) {
      const send = collector.spans.find(({ attributes }) => attributes['waypost.message.id'] === messageId)
      if (!send) return null
      const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === send.spanId)
      return Object.fromEntries([send, ...parts].map(span => [span.name, span]))
    },
    stop: () => server.stop(true),
  }
}
