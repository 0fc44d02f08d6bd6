/** @returns a table in Markdown; a `|` in a cell is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/**
 * Fills a text of the API document.
 * @returns the text with the value of each `${name}`
 * @throws Error for a name without a value
 */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the API document has no value for ${name}`)
    return String(value)
  })
}
