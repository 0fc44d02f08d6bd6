import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { languages } from '../../../../db/contract/preferences.ts'
import { eventually } from '../../../eventually.ts'
import { hungAfterMs } from '../../../timeLimit.ts'
import { startReceiver } from '../../../webhooks/receiver.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { cutToTheSide } from '../cut.ts'
import { furnish } from '../furniture.ts'
import { listedPages, nameOf } from '../listedPages.ts'
import { overlappingTexts } from '../overlap.ts'
import { signIn } from '../people.ts'
import { rowsWithoutSentence } from '../sentences.ts'
import { squeezedTexts } from '../squeezed.ts'
import { pictureFolder, type Stage, story } from '../stage.ts'
import { smallTargets } from '../targets.ts'
import { desktop, phone, type Screen, type Visitor } from '../visitor.ts'

/** Pages of people who are not signed in; some need the token of a link. */
export const isEntry = (path: string) => ['/sign-in', '/set-up', '/invitation'].includes(path)

/** What opens above a page: the page, the button that opens it, and what it is. */
const layers = [
  ['/w/:workspaceId/api-keys', 'Create a key', 'dialog'],
  ['/w/:workspaceId/channels/:channelId', 'Replace the access token', 'dialog'],
  ['/w/:workspaceId/channels/clients', 'Add an endpoint', 'dialog'],
  ['/w/:workspaceId/lines/:phoneNumberId/templates/:templateId', 'Delete…', 'dialog'],
  ['/w/:workspaceId/members', 'Invite', 'dialog'],
  ['/w/:workspaceId/webhooks', 'Add an endpoint', 'dialog'],
  ['/w/:workspaceId/webhooks/:webhookId', 'Replay', 'dialog'],
  ['/w/:workspaceId/webhooks/:webhookId', 'Send a test event', 'dialog'],
  ['/w/:workspaceId/api-keys', 'Actions for', 'menu'],
  ['/w/:workspaceId/channels', 'Actions for', 'menu'],
  ['/w/:workspaceId/members', 'Actions for', 'menu'],
  ['/w/:workspaceId/webhooks', 'Actions for', 'menu'],
  ['/w/:workspaceId/webhooks', 'account and colours', 'menu'],
] as const

/** @returns the address of a page, with the ids of what it shows */
export const addressOf = (path: string, place: Readonly<Record<string, string>>) =>
  `/console${path.replace(/:(\w+)/g, (_, name: string) => {
    const id = place[name]
    if (id === undefined) throw new Error(`${path} needs :${name}, which the furniture does not have`)
    return id
  })}`

/** What stands where something is still loaded. */
const waiting = '.mantine-Skeleton-root, .mantine-Loader-root, [role=status]:text-is("Loading…")'

/** Waits until the page has its heading, and nothing of it is loaded any more. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  // A page has several parts, each with a placeholder of its own, and not all of them have a name.
  await page.locator(waiting).filter({ visible: true }).first().waitFor({ state: 'hidden' })
  await page.evaluate('document.fonts.ready')
  await still(page)
}

/**
 * What moves would be seen half-way. What never ends is not waited for, and nothing is by its promise: that of something
 * in a closed `<details>` may never come. What measures its own width, as a chart does for the names below it, draws
 * once more in a frame after that of the new width.
 */
const still = (page: Page) =>
  page.evaluate(`(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    const moves = ({ effect, playState }) =>
      playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
    while (document.getAnimations().some(moves)) await new Promise(requestAnimationFrame)
  })()`)

/** Whether a person can scroll the page itself, if it is long enough. */
const scrollsAgain = 'getComputedStyle(document.documentElement).overflowY !== "hidden"'
const scrolls = (page: Page) => page.evaluate<boolean>(scrollsAgain)

/** Between the two: a tablet, upright and lying, and half a window. A list is as narrow in a frame at 834 as alone at 800. */
const between: readonly Screen[] = [1280, 1024, 834, 800].map(width => ({ width, height: 1024 }))

/** What is found depends on the colours or on the width, hardly on both: two of four are enough, and half as long. */
const isJudged = (screen: Screen, colorScheme: 'light' | 'dark') => (screen === desktop) === (colorScheme === 'light')

/** Where the pictures of docs/console.md go, when they are made anew: `bun run pictures`. */
const documentFolder = process.env.WAYPOST_PICTURES
const consoleDocument = readFileSync(resolve(import.meta.dir, '../../../../docs/console.md'), 'utf8')
/** Text stays sharp, and a page takes some 30 kB. */
const webp = { format: 'webp', quality: 70 } as const

async function pictureForDocuments({ page, context }: Visitor, name: string): Promise<void> {
  if (documentFolder === undefined || !consoleDocument.includes(`(pictures/${name}.webp)`)) return
  const debug = await context.newCDPSession(page)
  const { data } = await debug.send('Page.captureScreenshot', webp)
  await Bun.write(join(documentFolder, `${name}.webp`), Buffer.from(data, 'base64'))
  await debug.detach()
}

/** @returns what of the page's texts is cut, broken or without room at this width */
async function misplaced(page: Page, where: string): Promise<string[]> {
  const tooWide = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  return [
    ...(tooWide > 0 ? [`${where}: ${tooWide} pixels too wide`] : []),
    ...(await cutToTheSide(page)).map(what => `${where}: ${what}`),
    ...(await squeezedTexts(page)).map(text => `${where}: no width is left for "${text}"`),
    ...(await overlappingTexts(page)).map(texts => `${where}: one over the other: ${texts}`),
    ...(await rowsWithoutSentence(page)).map(row => `${where}: a row does not say what: ${row}`),
  ]
}

/** Looks at the page of now at all widths, and in both colours on a desk and a phone. @returns what is wrong with it */
async function look(visitor: Visitor, name: string, screens = [desktop, ...between, phone]): Promise<string[]> {
  const { page } = visitor
  const wrong: string[] = []
  await pictureForDocuments(visitor, name)
  for (const screen of screens) {
    await page.setViewportSize(screen)
    await page.emulateMedia({ colorScheme: 'light' })
    await still(page)
    wrong.push(...(await misplaced(page, `${name} ${screen.width}`)))
    if (screen === phone)
      wrong.push(...(await smallTargets(page)).map(what => `${name}: too small for a finger: ${what}`))
    const picture = (colours: string) => join(pictureFolder, `${name} ${screen.width} ${colours}.png`)
    // A picture of each costs more than all that is measured.
    if (between.includes(screen)) {
      if (screen === between.at(-1)) await page.screenshot({ path: picture('light') })
      continue
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: picture(colorScheme), fullPage: true })
      if (!isJudged(screen, colorScheme)) continue
      const findings = await accessibilityFindings(page)
      wrong.push(...findings.map(finding => `${name} ${screen.width} ${colorScheme}: ${finding}`))
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(desktop)
  return wrong
}

/** Most words are longer in other languages, and a telephone has the least room. @returns what is wrong there */
async function inOtherLanguages(page: Page, place: Readonly<Record<string, string>>): Promise<string[]> {
  const wrong: string[] = []
  await page.setViewportSize(phone)
  for (const language of languages.slice(1)) {
    await page.goto('/console/account')
    await page.locator(`select:has(option[value="${language}"])`).selectOption(language)
    await page.locator(`html[lang="${language}"]`).waitFor()
    for (const path of await listedPages()) {
      if (isEntry(path)) continue
      await page.goto(addressOf(path, place))
      await settled(page)
      wrong.push(...(await misplaced(page, `${nameOf(path)} ${language}`)))
      await page.screenshot({ path: join(pictureFolder, `${nameOf(path)} ${language}.png`) })
    }
  }
  return wrong
}

/** Some 220 pictures and 80 judgements: two minutes on an idle machine, and fifteen beside others that compute. */
export const sweepHungMs = 30 * hungAfterMs

export function everyPageStories(): void {
  const sweep = async (stage: Stage) => {
    const { deployment } = stage
    const wrong: string[] = []
    const visitor = await stage.visitor()
    const { page } = visitor
    const see = async (name: string) => {
      await settled(page)
      wrong.push(...(await look(visitor, name)))
    }

    await page.goto(await deployment.setupLink())
    await see('set-up')
    const backstage = await Backstage.signUp(deployment)
    await using receiver = startReceiver()
    const place = await furnish(backstage, deployment, receiver)
    await page.goto(await backstage.invitationLink('viewer', 'hopper@example.com'))
    await see('invitation')
    await page.goto('/console')
    await see('sign-in')
    await signIn(visitor, ownerEmail)
    for (const path of await listedPages()) {
      if (isEntry(path)) continue
      await page.goto(addressOf(path, place))
      await see(nameOf(path))
    }
    await page.goto('/console/nowhere')
    await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).waitFor()
    await see('not-found')
    for (const [path, name, role] of layers) {
      await page.goto(addressOf(path, place))
      await settled(page)
      await page
        .getByRole('button', { name, exact: role === 'dialog' })
        .first()
        .click()
      await page.getByRole(role).waitFor()
      await still(page)
      // What is above a page stays where it was opened when the width changes.
      const found = await look(visitor, `${nameOf(path)} ${name}`, [desktop, phone])
      // An open menu stands at the end of the document, outside of its landmarks.
      wrong.push(...found.filter(finding => role === 'dialog' || !finding.includes(': region: ')))
      if (role === 'menu') continue
      if (await scrolls(page)) wrong.push(`${path} ${name}: the page behind it scrolls`)
      await page.keyboard.press('Escape')
      await page.getByRole(role).waitFor({ state: 'detached' })
      // Not by waitForFunction: it evaluates text in the page, which its policy forbids.
      await eventually(async () => expect(await scrolls(page)).toBeTrue())
    }
    wrong.push(...(await inOtherLanguages(page, place)))
    expect(wrong).toEqual([])
  }
  story(
    'every page at every width, light and dark, and in all languages: accessible, nothing sticks out or is cut, words stay whole',
    sweep,
    sweepHungMs,
  )
}
