import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Browser, chromium } from 'playwright-core'
import { guideList } from '../../../src/partner/docs/guides/pages.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { needs, program } from '../../programs.ts'
import { hungAfterMs } from '../../timeLimit.ts'

setDefaultTimeout(5 * hungAfterMs)

const path = Bun.which('chromium')
const here = needs('the guides in a browser', program('chromium'))

describe.skipIf(here.isMissing)(here.name, () => {
  let gateway: TestGateway
  let browser: Browser
  beforeAll(async () => {
    gateway = await startTestGateway()
    browser = await chromium.launch({
      executablePath: path ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    })
  })
  afterAll(async () => {
    await browser.close()
    await gateway.stop()
  })

  /** Opens a page, and gathers what the browser has to complain about: also what its policy forbids. */
  async function open(address: string, colorScheme: 'light' | 'dark', width: number) {
    const page = await browser.newPage({
      viewport: { width, height: 800 },
      colorScheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const complaints: string[] = []
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('requestfailed', request => complaints.push(request.url()))
    await page.goto(gateway.url + address)
    return { page, complaints }
  }

  test.each(guideList.map(({ name }) => name))(
    '%s fits on a telephone, and the browser complains of nothing',
    async name => {
      const { page, complaints } = await open(`/docs/${name}`, 'light', 390)
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect([tooWide, complaints]).toEqual([0, []])
      await page.close()
    },
  )

  /** WCAG 2.2, 1.4.3: the contrast of text, as the relation of two luminances. */
  const contrast = `(() => {
    const luminance = color => {
      const [r, g, b] = color.match(/[\\d.]+/g).map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const behind = element => {
      for (let at = element; at; at = at.parentElement) {
        const color = getComputedStyle(at).backgroundColor
        if (color !== 'rgba(0, 0, 0, 0)') return color
      }
      return 'rgb(255, 255, 255)'
    }
    return Math.min(...[...document.querySelectorAll('p, a, code, code span, button, th, td, summary, h1, h2')].map(element => {
      const [dark, light] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((a, b) => a - b)
      return (light + 0.05) / (dark + 0.05)
    }))
  })()`
  const contrastMin = 4.5

  test.each(['light', 'dark'] as const)('every text can be read: %s', async scheme => {
    const { page } = await open('/docs/cookbook', scheme, 1280)
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(background).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(21, 24, 28)')
    expect(await page.evaluate(contrast)).toBeGreaterThanOrEqual(contrastMin)
    await page.close()
  })

  test('the link of an error answer leads to its code, which is then on the screen', async () => {
    const { page } = await open('/docs/errors#CHANNEL_GRAPH_ERROR', 'light', 390)
    const top = await page.evaluate("document.getElementById('CHANNEL_GRAPH_ERROR').getBoundingClientRect().top")
    expect(top).toBeGreaterThanOrEqual(0)
    expect(top).toBeLessThan(800)
    await page.close()
  })

  test('a recipe is shown in one language, which is remembered, names this gateway, and is copied', async () => {
    const { page, complaints } = await open('/docs/cookbook', 'light', 1280)
    const tab = page.getByRole('tab', { name: 'Python' }).nth(1)
    await tab.click()
    // All recipes of the page follow.
    expect(await page.getByRole('tabpanel', { name: 'Python' }).count()).toBeGreaterThan(3)
    expect(await page.getByRole('tabpanel', { name: 'Shell' }).count()).toBe(0)
    await tab.press('ArrowRight')
    await page.getByRole('tab', { name: 'PHP', selected: true }).first().waitFor()
    await page.goto(`${gateway.url}/docs/cookbook`)
    const first = page.getByRole('tabpanel', { name: 'PHP' }).first()
    await first.hover()
    await first.getByRole('button', { name: 'Copy' }).click()
    await first.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain(`const GATEWAY = '${gateway.url}/api/v1/public';`)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('without a script every language is there, one below the other, with its name', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${gateway.url}/docs/cookbook`)
    const group = page.locator('.languages').first()
    for (const text of ['curl -sS', 'interface Message', 'import http.client', '<?php'])
      expect(await group.getByText(text).first().isVisible()).toBe(true)
    expect(await page.getByRole('searchbox').count()).toBe(0)
    await context.close()
  })

  test('the search finds a setting, an error code and a command, by keyboard alone', async () => {
    const { page, complaints } = await open('/docs/guides', 'light', 390)
    for (const [typed, title, address] of [
      ['public_url', 'PUBLIC_URL', '**/docs/settings#PUBLIC_URL'],
      ['idempotency conflict', 'IDEMPOTENCY_CONFLICT', '**/docs/errors#idempotency_conflict'],
      ['channel connect', 'channel connect', '**/docs/commands'],
    ] as const) {
      await page.keyboard.press('/')
      await page.keyboard.type(typed)
      await page.locator('.found a').filter({ hasText: title }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(address)
    }
    // The console's search leads here.
    await page.goto(`${gateway.url}/docs/guides?q=public_url`)
    await page.locator('.found a').filter({ hasText: 'PUBLIC_URL' }).first().waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('the API reference leads to the guides, and back', async () => {
    const { page } = await open('/docs', 'light', 1280)
    await page.getByRole('link', { name: 'the guides' }).first().click()
    await page.waitForURL('**/docs/guides')
    await page.getByRole('link', { name: 'API reference' }).click()
    // The viewer adds the section that it shows: `#partner`.
    await page.waitForURL(({ pathname }) => pathname === '/docs')
    await page.close()
  })
})
