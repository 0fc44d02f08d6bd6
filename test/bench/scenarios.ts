import { type BenchGateway, seed, startGateway } from './gateway.ts'
import type { Group, Options } from './options.ts'
import type { Fleet } from './processes.ts'
import { callbackScenario, limitedScenario, replayScenario, statusScenario, unauthorizedScenario } from './routes.ts'
import type { Scenario } from './scenario.ts'
import { sendScenarios } from './sends.ts'
import type { Seeded } from './traffic.ts'

/** What the scenarios measure, and measure against. */
export interface Bench {
  readonly fleet: Fleet
  readonly upstreamUrl: string
  readonly gateway: BenchGateway
  readonly seeded: readonly Seeded[]
  /** Starts another gateway, with data of its own. */
  startGateway(name: string, env: Readonly<Record<string, string>>): Promise<BenchGateway>
}

/** Status reads and callbacks concern these; replays repeat them. */
const messagesSeeded = 10_000

const scenariosOf: Readonly<Record<Group, (bench: Bench) => Promise<readonly Scenario[]>>> = {
  send: sendScenarios,
  replay: async bench => [await replayScenario(bench)],
  status: async bench => [await statusScenario(bench)],
  refusal: async bench => [await unauthorizedScenario(bench), await limitedScenario(bench)],
  callback: async bench => [await callbackScenario(bench)],
}

/** Starts the gateway and the stub upstream, and whatever the chosen groups need besides. */
export async function prepare(options: Options & { fleet: Fleet; folder: string }) {
  const { fleet, folder, groups, binary } = options
  const upstreamUrl = await fleet.service('upstream.ts')
  const start = (name: string, env: Readonly<Record<string, string>>) =>
    startGateway({ fleet, binary, upstreamUrl, dataDir: `${folder}/${name}`, env })
  const gateway = await start('data', {})
  const seeded = await seed(gateway, messagesSeeded)
  const bench: Bench = { fleet, upstreamUrl, gateway, seeded, startGateway: start }
  const scenarios: Scenario[] = []
  for (const group of groups) scenarios.push(...(await scenariosOf[group](bench)))
  return { scenarios, gateway }
}
