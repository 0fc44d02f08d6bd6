/** One line of a scrape. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric as its HELP and TYPE lines say it. */
export interface Described {
  readonly name: string
  readonly type: string
  readonly help: string
}

const line = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/

/** @throws Error for a line that is none of a scrape */
export function samplesOf(text: string): Sample[] {
  return text
    .split('\n')
    .filter(entry => entry !== '' && !entry.startsWith('#'))
    .map(entry => {
      const [, name = '', labels = '', value = ''] = line.exec(entry) ?? []
      if (name === '') throw new Error(`no sample: ${entry}`)
      const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text] as const)
      return { name, labels: Object.fromEntries(pairs), value: value === '+Inf' ? Infinity : Number(value) }
    })
}

export const describedIn = (text: string): Described[] =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)].map(([, name = '', help = '', type = '']) => ({
    name,
    type,
    help,
  }))

/** The value of the one sample with this name and exactly these labels; undefined when there is none. */
export const sampleValue = (samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}) =>
  samples.find(
    sample =>
      sample.name === name &&
      Object.keys(sample.labels).length === Object.keys(labels).length &&
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value
