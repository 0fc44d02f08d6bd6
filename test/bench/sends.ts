import { messagesPath, upstreamPhoneId } from './gateway.ts'
import { until } from './processes.ts'
import type { Marks, Scenario, Side } from './scenario.ts'
import type { Bench } from './scenarios.ts'
import { freshSends, keyed, type SendKind } from './traffic.ts'

/** The pass-through sends from a line of its own, so that the stub counts it apart. */
const passedPhoneId = '106540352242923'

/** At one connection the disk decides: there the mark is on the time added. */
const marksByConnections: readonly (readonly [number, Marks])[] = [
  [1, { addedMsMax: 1 }],
  [64, { least: 0.35, goal: 0.5 }],
  [256, { goal: 0.75 }],
]

/** Durable sends against the pass-through. */
export async function sendScenarios(bench: Bench): Promise<Scenario[]> {
  const baseline = { url: await bench.fleet.service('passthrough.ts', bench.upstreamUrl + messagesPath(passedPhoneId)) }
  const scenario = (kind: SendKind, connections: number, marks: Marks): Scenario => ({
    what: `durable sends, ${kind}`,
    connections,
    traffic: round => freshSends(kind, bench.gateway.key, round),
    baseline,
    gateway: countedSends(bench, connections),
    marks,
    answers: 'success',
  })
  return [
    ...(['text', 'template'] as const).flatMap(kind =>
      marksByConnections.map(([connections, marks]) => scenario(kind, connections, marks)),
    ),
    scenario(keyed, 64, {}),
  ]
}

/** The gateway, trusted only as far as its database and the stub upstream agree with its answers. */
function countedSends({ gateway, upstreamUrl }: Bench, connections: number): Side {
  const taken = async () => Number(await (await fetch(`${upstreamUrl}/taken${messagesPath(upstreamPhoneId)}`)).text())
  return {
    url: gateway.url,
    async watch() {
      const before = { sent: gateway.countSent(), taken: await taken() }
      return async ({ completed }) => {
        const sent = await until('as many messages SENT as the upstream took', async () => {
          const sent = gateway.countSent() - before.sent
          return sent === (await taken()) - before.taken ? sent : null
        })
        // What was in flight when wrk stopped was sent as well, but wrk has no answer to it.
        if (sent >= completed && sent <= completed + connections) return
        throw new Error(`${completed} sends were answered, but ${sent} messages are stored as SENT`)
      }
    },
  }
}
