import type { Distribution } from '../telemetry/metrics.ts'
import { type Family, families } from './families.ts'
import { type ReadingParts, type Readings, takeReadings } from './readings.ts'

/** The metrics as Prometheus reads them. */
export interface Exposition {
  readonly contentType: string
  /** Asked for several times at once, they are read once. */
  text(): Promise<string>
}

/** Loads the library, which is not needed without metrics. */
export async function createExposition(parts: ReadingParts): Promise<Exposition> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')

  /** Shows what was counted elsewhere. */
  class ReadHistogram extends Histogram {
    readonly #head: Pick<Family, 'name' | 'help'>
    readonly #values: () => LabelledValue[]

    constructor(head: Pick<Family, 'name' | 'help' | 'labels'>, values: () => LabelledValue[]) {
      super({ name: head.name, help: head.help, labelNames: head.labels, registers: [] })
      this.#head = head
      this.#values = values
    }

    /** The registry prefers this one to `get`. */
    async getForPromString() {
      const { name, help } = this.#head
      return { name, help, type: 'histogram', values: this.#values() }
    }
  }

  const registry = new Registry()
  let readings: Readings
  for (const family of families) {
    const { name, help, labels: labelNames } = family
    const head = { name, help, labelNames, registers: [registry] }
    switch (family.type) {
      case 'counter': {
        const counter: InstanceType<typeof Counter> = new Counter({
          ...head,
          collect() {
            counter.reset()
            for (const [values, count] of family.read(readings)) counter.inc(labelled(labelNames, values), count)
          },
        })
        break
      }
      case 'gauge': {
        const gauge: InstanceType<typeof Gauge> = new Gauge({
          ...head,
          collect() {
            gauge.reset()
            // Reset to 0, a gauge without labels would show a value that was not read.
            if (labelNames.length === 0) gauge.remove()
            for (const [values, level] of family.read(readings)) gauge.set(labelled(labelNames, values), level)
          },
        })
        break
      }
      case 'histogram':
        registry.registerMetric(
          new ReadHistogram(family, () =>
            family
              .read(readings)
              .flatMap(([values, distribution]) => bucketsOf(name, labelled(labelNames, values), distribution)),
          ),
        )
        break
    }
  }

  let running: Promise<string> | undefined
  async function read(): Promise<string> {
    readings = await takeReadings(parts)
    return registry.metrics()
  }
  return {
    contentType: registry.contentType,
    text() {
      running ??= read().finally(() => {
        running = undefined
      })
      return running
    },
  }
}

interface LabelledValue {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const labelled = (names: readonly string[], values: readonly string[]) =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))

/** Prometheus wants each bucket to count all values up to its end. */
function bucketsOf(
  name: string,
  labels: Readonly<Record<string, string>>,
  { bounds, counts, sum }: Distribution,
): LabelledValue[] {
  let total = 0
  const buckets = counts.map((count, at) => {
    total += count
    return { metricName: `${name}_bucket`, labels: { ...labels, le: String(bounds[at] ?? '+Inf') }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ]
}
