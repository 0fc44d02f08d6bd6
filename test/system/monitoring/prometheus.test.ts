import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needsOperator } from '../../../src/graph/codes.ts'
import { CODES } from '../../../src/graph/codeTable.ts'
import { families } from '../../../src/monitoring/families.ts'
import { report, second, status } from '../../callbacks/report.ts'
import { eventually } from '../../eventually.ts'
import { testFolder } from '../../folder.ts'
import { freePort } from '../../freePort.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { dashboard, expressions, metricsIn, rules, rulesPath } from '../../monitoring/dashboard.ts'
import { needs, program, run } from '../../programs.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { graphError } from '../../upstream.ts'

setDefaultTimeout(2 * hungAfterMs)

const within = testFolder('prometheus')

/** The names under which a metric can be asked for. */
const exposed = new Set(
  families.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map(ending => name + ending) : [name],
  ),
)

describe('the alerts', () => {
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

  test('ask only for metrics that the gateway has', () => {
    expect([...metricsIn(rules.replace(/^ *#.*$/gm, ''))].filter(name => !exposed.has(name))).toEqual([])
  })

  test('each leads to its own heading in docs/operate.md, where something is to be read', () => {
    const document = readFileSync(join(import.meta.dir, '../../../docs/operate.md'), 'utf8')
    const links = [...rules.matchAll(/runbook_url: \S+\/docs\/operate#(\S+)/g)].map(([, anchor]) => anchor)
    expect(names.length).toBeGreaterThan(10)
    expect(links).toEqual(names.map(name => name.toLowerCase()))
    for (const name of names) expect(document).toMatch(new RegExp(`^### ${name}\\n\\n\\w`, 'm'))
  })

  test('know each code for which the operator has to act', () => {
    const stopping = [...CODES]
      .filter(([code, { errorClass }]) => needsOperator({ errorClass, code }))
      .map(([code]) => code)
    const codes = stopping.sort((one, other) => one - other).join('|')
    const named = [...rules.matchAll(/code=~"([\d|]+)"/g)].map(([, list]) => list)
    expect(new Set(named)).toEqual(new Set([codes]))
  })
})

describe('the dashboard', () => {
  const shown = dashboard.panels.filter(({ type }) => type !== 'row')

  test('has panels with an expression each, all of the chosen Prometheus, and none over another', () => {
    expect(shown.length).toBeGreaterThan(15)
    for (const { title, targets = [], datasource } of shown) {
      expect([title, targets.length > 0]).toEqual([title, true])
      for (const one of [datasource, ...targets.map(target => target.datasource)]) {
        expect(one?.uid).toBe('$'.concat('{datasource}'))
      }
    }
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })

  test('uses only variables that it has', () => {
    const known = new Set(['__rate_interval', ...dashboard.templating.list.map(({ name }) => name)])
    const used = JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)
    expect([...used].map(([, name = '']) => name).filter(name => name !== '__all' && !known.has(name))).toEqual([])
  })

  test('asks only for metrics that the gateway has, and for each of them', () => {
    const asked = metricsIn(expressions.join('\n'))
    expect([...asked].filter(name => !exposed.has(name))).toEqual([])
    const unasked = families.filter(({ name }) => ![...asked].some(ask => ask.startsWith(name))).map(({ name }) => name)
    // For alerts.
    expect(unasked).toEqual([
      'waypost_queue_limit_messages',
      'waypost_unknown_oldest_age_seconds',
      'waypost_broken_promises_total',
      'waypost_backup_due_timestamp_seconds',
      'waypost_backup_upload_due_timestamp_seconds',
      'waypost_media_files_total',
      'waypost_media_bytes',
      'waypost_media_limit_bytes',
      'waypost_clock_ahead_seconds',
    ])
  })
})

const promtool = needs('promtool', program('promtool'))
describe.skipIf(promtool.isMissing)(promtool.name, () => {
  test('takes the alerts, which fire when they have to and are silent otherwise', async () => {
    expect(await run(['promtool', 'check', 'rules', rulesPath])).toMatchObject({ code: 0, stderr: '' })
    const tested = await run(['promtool', 'test', 'rules', join(import.meta.dir, 'waypost.rules.test.yml')])
    expect(tested).toMatchObject({ code: 0, stderr: '' })
  })

  test('parses every expression of the dashboard', async () => {
    const path = within('expressions.yml')
    const recorded = expressions.map((expr, at) => ({ record: `panel_${at}`, expr }))
    // YAML is a superset of JSON.
    await Bun.write(path, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }))
    const checked = await run(['promtool', 'check', 'rules', path])
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining(`${expressions.length} rules found`) })
  })
})

/** Debian's package has both programs. */
const real = needs('the real Prometheus, beside a gateway', program('prometheus'), program('promtool'))
describe.skipIf(real.isMissing)(real.name, () => {
  let gateway: TestGateway
  let prometheus: ReturnType<typeof Bun.spawn>
  let api: string

  beforeAll(async () => {
    const token = 'a-token-of-metrics'
    gateway = await startTestGateway({ env: { METRICS_TOKEN: token, BACKUP_DIR: within('backups') } })
    const target = new URL(gateway.url).host
    const listen = `127.0.0.1:${freePort()}`
    api = `http://${listen}/api/v1`
    const config = {
      global: { scrape_interval: '200ms', evaluation_interval: '200ms' },
      rule_files: [rulesPath],
      scrape_configs: [
        { job_name: 'waypost', authorization: { credentials: token }, static_configs: [{ targets: [target] }] },
      ],
    }
    await Bun.write(within('prometheus.yml'), JSON.stringify(config))
    prometheus = Bun.spawn(
      [
        'prometheus',
        `--config.file=${within('prometheus.yml')}`,
        `--storage.tsdb.path=${within('data')}`,
        `--web.listen-address=${listen}`,
      ],
      { stdin: 'ignore', stdout: 'ignore', stderr: Bun.file(within('prometheus.log')) },
    )
    await eventually(async () => {
      expect((await fetch(`http://${listen}/-/ready`)).status).toBe(200)
    }, hungAfterMs)
    // One that is accepted, and the first refusal.
    const sent = await gateway.send({ type: 'text', phone: '+15550100200', content: 'Hello' })
    const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' }
    await report(gateway, status(sent.json.data.channelMessageId, 'delivered', second, { pricing }))
    gateway.upstream.answer = () => graphError(400, { code: 190, message: 'Expired' })
    await gateway.send({ type: 'text', phone: '+15550100201', content: 'Hello' })
  })
  afterAll(async () => {
    prometheus?.kill()
    await prometheus?.exited
    await gateway.stop()
  })

  async function query(expr: string): Promise<readonly { metric: Record<string, string>; value: [number, string] }[]> {
    const response = await fetch(`${api}/query?query=${encodeURIComponent(expr)}`)
    const { status, error, data } = (await response.json()) as {
      status: string
      error?: string
      data: { result: readonly { metric: Record<string, string>; value: [number, string] }[] }
    }
    expect([expr, status, error]).toEqual([expr, 'success', undefined])
    return data.result
  }

  test('a delivery with a price is counted by category and country', async () => {
    await eventually(async () => {
      const [series] = await query('waypost_priced_deliveries_total')
      expect(series?.metric).toMatchObject({ category: 'service', country: 'DE', billable: 'yes' })
      expect(series?.value[1]).toBe('1')
    }, hungAfterMs)
  })

  test('promtool finds no fault with what is scraped', async () => {
    const scraped = await fetch(`${gateway.url}/metrics`, { headers: { authorization: 'Bearer a-token-of-metrics' } })
    const check = Bun.spawn(['promtool', 'check', 'metrics'], {
      stdin: await scraped.blob(),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, code] = await Promise.all([check.stdout.text(), check.stderr.text(), check.exited])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('every panel shows something of a gateway at work', async () => {
    // The annotation shows starts, of which there was none.
    const shown = expressions.filter(
      expr => !expr.includes('changes(process_start_time_seconds') || !expr.includes('> 0'),
    )
    await eventually(async () => {
      const answers = await Promise.all(shown.map(async expr => ({ expr, series: (await query(expr)).length })))
      expect(answers.filter(({ series }) => series === 0)).toEqual([])
    }, hungAfterMs)
  })

  test('the alerts are loaded, and the one for a dead token fires for the first refusal', async () => {
    const { data } = (await (await fetch(`${api}/rules`)).json()) as {
      data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] }
    }
    const loaded = data.groups.flatMap(group => group.rules)
    expect(loaded).toHaveLength((rules.match(/- alert:/g) ?? []).length)
    expect(loaded.filter(({ lastError }) => lastError)).toEqual([])
    await eventually(async () => {
      const firing = await query('ALERTS{alertstate="firing"}')
      expect(firing.map(({ metric }) => [metric.alertname, metric.code])).toEqual([['WaypostAccountBlocked', '190']])
    }, hungAfterMs)
  })
})
