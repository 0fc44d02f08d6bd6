import { join } from 'node:path'
import type { Bench } from './bench.ts'
import type { BenchGateway } from './gateway.ts'
import { type Load, under } from './load.ts'
import { atMost, type Row } from './report.ts'
import { residentMb } from './resident.ts'
import type { Benchmark } from './scenario.ts'
import { countedSends } from './sends.ts'
import { freshSends } from './traffic.ts'

const connections = 64
const mostMb = 170
/** What the last quarter may hold more than the second one. The first fills the caches, and is not compared. */
const growthMax = 1.1
/** Samples of a run, however long it is: more than enough for a mean of a quarter. */
const samplesTaken = 200

/** What the unit and the image tell the collector of memory. */
const collectorSetting = 'BUN_JSC_forceRAMSize'
const unitPath = join(import.meta.dir, '../../packaging/files/waypost.service')

/** The gateway's resident memory while it sends for minutes, started as the packages start it. */
export async function memoryBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const { memorySeconds } = bench.options.sizes
  const gateway = await bench.serve(
    await bench.install('memory', { [collectorSetting]: await setByUnit(collectorSetting) }),
  )
  if (residentMb(gateway.pid) === null) {
    console.error('This system does not tell the memory of a process: the group memory is left out.')
    return []
  }
  return [
    {
      title: `memory under load, ${memorySeconds} seconds`,
      async run() {
        const samples = await sampleUnderLoad(bench, gateway, memorySeconds)
        return toRows(`memory, ${memorySeconds} s of sends`, samples)
      },
    },
  ]
}

async function setByUnit(name: string): Promise<string> {
  const value = new RegExp(`^Environment=${name}=(.*)$`, 'm').exec(await Bun.file(unitPath).text())?.[1]
  if (value === undefined) throw new Error(`${unitPath} sets no ${name}`)
  return value
}

async function sampleUnderLoad(bench: Bench, gateway: BenchGateway, seconds: number): Promise<number[]> {
  const load: Load = {
    what: 'sends while memory is watched',
    connections,
    traffic: round => freshSends('text', gateway.key, round),
    answers: 'success',
    folder: bench.folder,
  }
  const samples: number[] = []
  const timer = setInterval(
    () => {
      const mb = residentMb(gateway.pid)
      if (mb !== null) samples.push(mb)
    },
    (seconds * 1000) / samplesTaken,
  )
  try {
    await under(load, countedSends(gateway, bench.upstream.url, connections)).measure({ number: 0, seconds })
  } finally {
    clearInterval(timer)
  }
  return samples
}

const mb = (value: number) => `${Math.round(value)} MB`
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function toRows(what: string, samples: readonly number[]): Row[] {
  const quarter = Math.floor(samples.length / 4)
  const second = mean(samples.slice(quarter, 2 * quarter))
  const last = mean(samples.slice(-quarter))
  const most = Math.max(...samples)
  return [
    { what: `${what}: most`, connections, baseline: '', gateway: mb(most), figure: '', ...atMost(most, mostMb, 'MB') },
    {
      what: `${what}: last quarter against the second`,
      connections,
      baseline: mb(second),
      gateway: mb(last),
      figure: (last / second).toFixed(2),
      ...atMost(last / second, growthMax),
    },
  ]
}
