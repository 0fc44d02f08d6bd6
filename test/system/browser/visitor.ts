import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { hungAfterMs } from '../../timeLimit.ts'
import type { Deployment } from './deployment.ts'

export interface Screen {
  readonly width: number
  readonly height: number
}
export const desktop: Screen = { width: 1440, height: 900 }
export const phone: Screen = { width: 390, height: 844 }

/** An answer that a story provokes: the browser writes each refused request into its console. */
interface Refusal {
  readonly status: number
  readonly path: RegExp
}

/** Whoever has no cookie, or one that ended, is told so when the page asks for a session. */
const withoutSession: Refusal = { status: 401, path: /\/api\/v1\/auth\/refresh$/ }

/**
 * A person with a browser of their own: no cookies and no storage of others. It notes all that a stranger would
 * complain about: errors in the browser's console, violations of the page's policy, and requests to another host.
 */
export class Visitor implements AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  readonly #deployment: Deployment
  readonly #complaints: string[] = []
  readonly #expected: Refusal[] = [withoutSession]
  #isDisconnected = false

  private constructor(context: BrowserContext, page: Page, deployment: Deployment) {
    this.context = context
    this.page = page
    this.#deployment = deployment
  }

  static async enter(browser: Browser, deployment: Deployment, screen: Screen = desktop): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: deployment.url,
      viewport: screen,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      colorScheme: 'light',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    context.setDefaultTimeout(hungAfterMs / 2)
    const visitor = new Visitor(context, await context.newPage(), deployment)
    visitor.#watch()
    return visitor
  }

  #watch(): void {
    const { context } = this
    context.on('request', request => this.#judge(request))
    context.on('weberror', error => this.#complaints.push(`uncaught: ${error.error().message}`))
    context.on('console', message => {
      const type = message.type()
      if (type !== 'error' && type !== 'warning') return
      const { url } = message.location()
      if (!this.#isExpected(message.text(), url)) this.#complaints.push(`${type}: ${message.text()} (${url})`)
    })
  }

  #judge(request: Request): void {
    const url = request.url()
    if (!url.startsWith(`${this.#deployment.url}/`) && !/^(data|blob|about):/.test(url)) {
      this.#complaints.push(`request to another host: ${url}`)
    }
    const token = request.headers().authorization?.replace(/^Bearer /, '')
    if (token !== undefined) this.#deployment.keepSecret(token, 'access token of a session')
  }

  #isExpected(text: string, url: string): boolean {
    const status = Number(/^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1])
    const { pathname } = new URL(url === '' ? 'about:blank' : url)
    if (this.#expected.some(refusal => refusal.status === status && refusal.path.test(pathname))) return true
    return this.#isDisconnected && /net::ERR_|Failed to fetch/.test(text)
  }

  /** The story is about to be refused. */
  expectRefusal(status: number, path: RegExp): void {
    this.#expected.push({ status, path })
  }

  /** The gateway is about to be away. */
  expectLostConnection(): void {
    this.#isDisconnected = true
  }

  /** Everything that a stranger would complain about so far. */
  get complaints(): readonly string[] {
    return this.#complaints
  }

  /** Keeps the cookies of now as secrets. They are replaced at each refresh, so a story calls it where it signs in. */
  async noteCookies(): Promise<void> {
    for (const { name, value } of await this.context.cookies()) this.#deployment.keepSecret(value, `cookie ${name}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close()
  }
}
