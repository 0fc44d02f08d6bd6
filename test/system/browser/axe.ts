import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** All rules that are on by themselves, and that what is pressed is at least 24 pixels wide and high (WCAG 2.2, 2.5.8). */
const options = { rules: { 'target-size': { enabled: true } } }

/** @returns all findings of axe-core on what is shown, each with the elements that it names. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // By the debugger's own way into the page: its policy forbids foreign scripts, and that stays as it is.
  await page.evaluate(source)
  const { passes, violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  if (passes.length === 0) throw new Error('axe-core checked nothing')
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html, target }) => `${target} ${html}`).join(' | ')}`,
  )
}
