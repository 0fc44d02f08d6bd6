import { join } from 'node:path'
import { run } from './processes.ts'
import type { Sample } from './scenario.ts'
import { mark, type Traffic } from './traffic.ts'

/** What wrk counted in one round. */
export interface Driven extends Sample {
  readonly completed: number
  /** Answers with a status of 400 or more. */
  readonly refused: number
  /** Connections that could not be made, cut off or left without an answer. */
  readonly broken: number
}

/** Separates the requests of a list; it stands in none of them. */
const separator = '\u001e'

const report = `
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"us":%d,"completed":%d,"p50us":%d,"p99us":%d,"refused":%d,"broken":%d}\\n',
    summary.duration, summary.requests, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
`

/** JSON's escapes of ASCII texts are Lua's as well. */
const quoted = (text: string) => JSON.stringify(text)

function script(traffic: Traffic, listPath: string): string {
  if (traffic.kind === 'listed') {
    return `${report}
local requests = {}
for request in io.open(${quoted(listPath)}):read('*a'):gmatch('[^\\30]+') do requests[#requests + 1] = request end
local at = 0
request = function()
  at = at % #requests + 1
  return requests[at]
end`
  }
  const parts = traffic.request.split(mark).map(quoted)
  return `${report}
local count = -1
request = function()
  count = count + 1
  local n = string.format('%09d', ${traffic.first} + count % ${traffic.cycle})
  return ${parts.join(' .. n .. ')}
end`
}

/** @throws Error with a sentence when wrk is not installed */
export function findWrk(): string {
  const path = Bun.which('wrk')
  if (path !== null) return path
  throw new Error('wrk is missing. Install it: apt-get install wrk (Debian, Ubuntu) or brew install wrk (macOS).')
}

/** As long as the gateway lets a send wait. Before that an answer is late, not lost. */
const answerSecondsMax = 10

/** Drives `url` from one wrk thread; scripts and lists are left in `folder`. */
export async function drive(options: {
  url: string
  traffic: Traffic
  connections: number
  seconds: number
  folder: string
}): Promise<Driven> {
  const { url, traffic, connections, seconds, folder } = options
  const scriptPath = join(folder, 'traffic.lua')
  const listPath = join(folder, 'traffic.txt')
  if (traffic.kind === 'listed') await Bun.write(listPath, traffic.requests.join(separator))
  await Bun.write(scriptPath, script(traffic, listPath))
  const pace = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', `${answerSecondsMax}s`]
  const out = await run([findWrk(), ...pace, '-s', scriptPath, url], {})
  const line = out.trimEnd().split('\n').at(-1) ?? ''
  const figures = JSON.parse(line) as Record<'us' | 'completed' | 'p50us' | 'p99us' | 'refused' | 'broken', number>
  const { us, completed, p50us, p99us, refused, broken } = figures
  return {
    perSecond: (completed * 1_000_000) / us,
    medianMs: p50us / 1000,
    p99Ms: p99us / 1000,
    completed,
    refused,
    broken,
  }
}
