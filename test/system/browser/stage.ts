import { afterAll, beforeAll, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { ensureBuilt } from '../../executable.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { launchChromium } from './chromium.ts'
import { Deployment } from './deployment.ts'
import { type Screen, Visitor } from './visitor.ts'

/** Where screenshots go; no part of the repository. */
export const pictureFolder = resolve(import.meta.dir, '../../../dist/pictures')

/** What a story is told on: a deployment of its own, and browsers of people. */
export class Stage implements AsyncDisposable {
  readonly deployment: Deployment
  readonly #browser: Browser
  readonly #visitors: Visitor[] = []

  constructor(browser: Browser, deployment: Deployment) {
    this.#browser = browser
    this.deployment = deployment
  }

  async visitor(screen?: Screen): Promise<Visitor> {
    const visitor = await Visitor.enter(this.#browser, this.deployment, screen)
    this.#visitors.push(visitor)
    return visitor
  }

  /** @throws Error with what strangers would complain about, and with the secrets that the gateway has logged */
  async judge(): Promise<void> {
    for (const visitor of this.#visitors) await visitor.noteCookies()
    const complaints = this.#visitors.flatMap(visitor => visitor.complaints)
    const leaks = this.deployment.leaks().map(what => `in the log: ${what}`)
    if (complaints.length + leaks.length > 0) throw new Error([...complaints, ...leaks].join('\n'))
  }

  /** Keeps what was on the screens when a story failed. */
  async photograph(name: string): Promise<void> {
    for (const [at, { page }] of this.#visitors.entries()) {
      const path = join(pictureFolder, `failed ${name} ${at}.png`)
      await page.screenshot({ path, fullPage: true }).catch(() => {})
      console.error(`${page.url()} is in ${path}`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const visitor of this.#visitors) await visitor[Symbol.asyncDispose]()
    await this.deployment[Symbol.asyncDispose]()
  }
}

let browser: Browser | undefined

/** One browser process for all stories of the file. */
export function openBrowser(): void {
  beforeAll(async () => {
    ensureBuilt()
    mkdirSync(pictureFolder, { recursive: true })
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
}

/**
 * A test on a deployment of its own. At its end nobody has a complaint, and no secret is in the log.
 * @param hungMs milliseconds after which it counts as hung
 */
export function story(name: string, tell: (stage: Stage) => Promise<void>, hungMs = 5 * hungAfterMs): void {
  test(
    name,
    async () => {
      if (!browser) throw new Error('the browser is not open')
      await using stage = new Stage(browser, await Deployment.start())
      await stage.deployment.serve()
      try {
        await tell(stage)
        await stage.judge()
      } catch (failure) {
        await stage.photograph(name.replace(/\W+/g, '-'))
        throw failure
      }
    },
    hungMs,
  )
}
