import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const monitoring = join(import.meta.dir, '../../src/monitoring')

export const rulesPath = join(monitoring, 'prometheus/waypost.rules.yml')
export const rules = readFileSync(rulesPath, 'utf8')

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly datasource?: { readonly uid: string }
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: { uid: string } }[]
}

export interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] }
  readonly annotations: { readonly list: readonly { readonly expr: string }[] }
}

export const dashboard: Dashboard = JSON.parse(readFileSync(join(monitoring, 'grafana/waypost.json'), 'utf8'))

/** Every expression of the dashboard, with what Grafana puts in place of its variables. */
export const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
].map(expr => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'))

/** The names of metrics in a text of expressions. */
export const metricsIn = (text: string) => new Set(text.match(/\b(?:waypost|process)_[a-z_]+\b/g) ?? [])
