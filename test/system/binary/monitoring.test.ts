import { expect, test } from 'bun:test'
import { ensureBuilt } from '../../executable.ts'
import { freePort } from '../../freePort.ts'
import { startCollector } from '../../monitoring/collector.ts'
import { samplesOf, sampleValue } from '../../monitoring/samples.ts'
import { startUpstream } from '../../upstream.ts'
import { Installation } from './installation.ts'

test('the executable has metrics of all its threads, and gives the trace of a send to a collector', async () => {
  ensureBuilt()
  await using ending = new AsyncDisposableStack()
  const upstream = startUpstream()
  ending.defer(() => upstream.stop())
  const collector = startCollector()
  ending.defer(() => collector.stop())
  const metricsPort = freePort()
  const installation = new Installation(upstream.url, {
    METRICS_PORT: String(metricsPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  ending.defer(() => installation.remove())
  const { key } = await installation.provision()
  const gateway = await installation.serve()
  const scrape = async () => samplesOf(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())

  await scrape()
  const { json } = await gateway.send(key, 'order-1')
  const samples = await scrape()
  const { commit } = await installation.json<{ commit: string | null }>('version')

  expect(sampleValue(samples, 'waypost_sends_total', { outcome: 'accepted', code: 'none' })).toBe(1)
  expect(sampleValue(samples, 'waypost_commit_sync_seconds_count')).toBeGreaterThan(1)
  for (const thread of ['main', 'writer', 'sender-1']) {
    expect(sampleValue(samples, 'waypost_event_loop_lag_seconds_count', { thread })).toBeDefined()
  }
  expect(samples.find(({ name }) => name === 'waypost_build_info')?.labels.commit).toBe(commit ?? '')

  expect(await gateway.end('SIGTERM')).toBe(0)
  const spans = collector.sendOf(json.data?.id ?? '')
  expect(Object.keys(spans ?? {}).sort()).toEqual(['accept', 'send', 'settle', 'upstream'])
})
