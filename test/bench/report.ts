/** One line of the table. */
export interface Row {
  readonly what: string
  readonly connections: number
  readonly baseline: string
  readonly gateway: string
  readonly figure: string
  readonly mark: string
  readonly verdict: 'pass' | 'miss' | ''
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = low] =
    sorted.length % 2 === 1 ? [sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (low + high) / 2
}

const headings = ['what', 'connections', 'baseline', 'Waypost', 'ratio', 'mark', '']

/** @returns a table for the terminal that is one of Markdown as well. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, connections, baseline, gateway, figure, mark, verdict }) => [
    what,
    String(connections),
    baseline,
    gateway,
    figure,
    mark,
    verdict,
  ])
  const widths = headings.map((heading, at) => Math.max(heading.length, ...cells.map(row => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(headings), line(widths.map(width => '-'.repeat(width))), ...cells.map(line)].join('\n')
}

/** Written by hand below it, about what the numbers mean; a new run leaves it alone. */
const notesHeading = '## Where the time goes'

/** @returns the text of RESULTS.md; `before` is the one that stands there. */
export function resultsFile(options: {
  machine: readonly string[]
  how: string
  rows: readonly Row[]
  notes: readonly string[]
  before: string
}): string {
  const { machine, how, rows, notes, before } = options
  const start = before.indexOf(notesHeading)
  const kept = start < 0 ? '' : `\n${before.slice(start).trimEnd()}\n`
  return `# Speed

Written by \`bun run bench --write\`. Both sides answer the same requests of \`wrk\`, in turn: ${how}. The medians of the
rounds are compared. Sends are compared with a bare pass-through (Bun.serve and fetch, nothing checked, nothing
stored) in front of the same stub upstream; every other line with a bare Elysia route that returns the same bytes.

${machine.map(text => `- ${text}`).join('\n')}

${table(rows)}

${notes.map(text => `- ${text}`).join('\n')}
${kept}`
}
