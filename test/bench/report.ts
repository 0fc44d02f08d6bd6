/** One line of the table. */
export interface Row {
  readonly what: string
  /** Null where nothing connects. */
  readonly connections: number | null
  /** Empty where the gateway is measured alone. */
  readonly baseline: string
  readonly gateway: string
  readonly figure: string
  readonly mark: string
  readonly verdict: 'pass' | 'miss' | ''
}

type Judged = Pick<Row, 'mark' | 'verdict'>

export const unmarked: Judged = { mark: '', verdict: '' }

export const atLeast = (value: number, least: number): Judged => ({
  mark: `≥ ${least}`,
  verdict: value >= least ? 'pass' : 'miss',
})

/** @param unit what stands behind the mark; the value is in it as well */
export const atMost = (value: number, most: number, unit = ''): Judged => ({
  mark: `≤ ${most}${unit && ` ${unit}`}`,
  verdict: value <= most ? 'pass' : 'miss',
})

/** 1,000,000 */
export const grouped = (count: number) => count.toLocaleString('en-US')

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = low] =
    sorted.length % 2 === 1 ? [sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (low + high) / 2
}

/** @returns the least and the most, wide apart when the machine was not quiet; nothing for a single value. */
export function spread(values: readonly number[]): string {
  if (values.length < 2) return ''
  return ` (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`
}

const headings = ['what', 'connections', 'baseline', 'Waypost', 'ratio', 'mark', '']

/** @returns a table for the terminal that is one of Markdown as well. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, connections, baseline, gateway, figure, mark, verdict }) => [
    what,
    connections === null ? '' : String(connections),
    baseline,
    gateway,
    figure,
    mark,
    verdict,
  ])
  return aligned(headings, cells)
}

/** @returns a table of Markdown whose columns stand below each other. */
export function aligned(headings: readonly string[], cells: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...cells.map(row => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(headings), line(widths.map(width => '-'.repeat(width))), ...cells.map(line)].join('\n')
}

/** Its rows come one by one, from many runs: a run replaces those that it measured. */
const besideHeading = '## Beside what one key asks for'
/** Written by hand below it, about what the numbers mean; a new run leaves it alone. */
const notesHeading = '## Where the time goes'

/** @returns the text of RESULTS.md; `before` is the one that stands there. */
export function resultsFile(options: {
  machine: readonly string[]
  how: string
  rows: readonly Row[]
  before: string
}): string {
  const { machine, how, rows, before } = options
  const start = before.indexOf(besideHeading)
  const kept = start < 0 ? '' : `\n${before.slice(start).trimEnd()}\n`
  return `# Speed

A line with a mark is a promise: as many sends as an earlier state had, plain and over TLS, nearly those of a pass-through
where the upstream takes its time, and little memory. What one send may use is counted by \`test/budget/\`, without a clock.

Written by \`bun run bench --write\`. All sides of a line do the same, in turn: ${how}.
The medians of the rounds are compared, with the least and the most of a pair of rounds beside the ratio. The baseline is

- the earlier state, or the other measure of the gateway itself, that the line names after "against";
- the pass-through: \`Bun.serve\` and \`fetch\`, nothing checked, nothing stored, in front of the same stub upstream;
- for statuses in callbacks of many a process that writes the same updates with \`bun:sqlite\`, a transaction for each
  callback, to a copy of the database;
- else a bare Elysia route that returns the same bytes.

${machine.map(text => `- ${text}`).join('\n')}

${table(rows)}
${kept}`
}

const besideIntroduction = `Written by \`bun run bench --only fair,fair-postgres --write\`. One workspace makes one call in ten loops, as hard as
its limits let it, with the heaviest input that is allowed; limits of requests are off, and its line has the platform's
pace. It has 6,000 templates, a batch of 100,000 items, 10,000 messages of users and, on SQLite, 200,000 messages. Another
one sends 100 texts a second meanwhile: the baseline is the median of its sends without the first. What loads the machine
beside the gateway, as the loops themselves, counts against it.`

/** @returns the text of RESULTS.md with these rows of what a send takes beside the calls of others */
export function besideFile({ how, rows, before }: { how: string; rows: readonly Row[]; before: string }): string {
  const [from, to] = [before.indexOf(besideHeading), before.indexOf(notesHeading)]
  const former =
    from < 0 ? [] : [...before.slice(from, to).matchAll(/^\| (`.*)\|$/gm)].map(([, row = '']) => rowOf(row))
  const measured = new Map([...former, ...rows].map(row => [row.what, row]))
  const section = [besideHeading, besideIntroduction, `${how}.`, table([...measured.values()])].join('\n\n')
  return `${before.slice(0, from < 0 ? to : from)}${section}\n\n${before.slice(to)}`
}

/** @returns a row as it stands in a table */
function rowOf(text: string): Row {
  const [what = '', connections, baseline = '', gateway = '', figure = '', mark = '', verdict] = text
    .split('|')
    .map(cell => cell.trim())
  return {
    ...{ what, connections: Number(connections), baseline, gateway, figure, mark },
    verdict: verdict === 'pass' || verdict === 'miss' ? verdict : '',
  }
}
