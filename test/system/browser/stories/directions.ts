import { expect } from 'bun:test'
import { eventually } from '../../../eventually.ts'
import { startReceiver } from '../../../webhooks/receiver.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { leftsOf, unisolatedTexts } from '../directions.ts'
import { furnish } from '../furniture.ts'
import { listedPages } from '../listedPages.ts'
import { signIn } from '../people.ts'
import { type Stage, story } from '../stage.ts'
import { desktop, phone } from '../visitor.ts'
import { says } from './conversations.ts'
import { addressOf, isEntry, settled, sweepHungMs } from './everyPage.ts'

const arabic = { number: '+15550150100', name: 'محمد العمري', text: 'هل الطلب 1004 جاهز؟' }
const hebrew = { number: '+15550150188', name: 'שרה כהן', text: 'מתי אתם פותחים?' }

const isGrowing = (numbers: readonly number[]) => numbers.every((each, at) => at === 0 || each > (numbers[at - 1] ?? 0))

export function directionStories(): void {
  const tell = async (stage: Stage) => {
    const { deployment } = stage
    const backstage = await Backstage.signUp(deployment)
    await using receiver = startReceiver()
    const furniture = await furnish(backstage, deployment, receiver)
    for (const { number: from, name, text } of [arabic, hebrew]) await says(deployment, { from, name, text })
    const key = await backstage.createKey('متجر')
    const webhook = { url: receiver.url, description: 'מחסן', events: ['message.failed'] }
    const { id: webhookId } = await backstage.call<{ id: string }>('/webhooks', webhook)
    const send = (phone: string, content: string) => backstage.send(key, { type: 'text', phone, content })
    const messageId = await send(arabic.number, 'نعم، هو جاهز.')
    await send(hebrew.number, 'בשעה 9.')
    const visitor = await stage.visitor()
    const { page } = visitor
    const place = { ...furniture, messageId, webhookId }
    await page.goto(addressOf('/w/:workspaceId', place))
    await signIn(visitor, ownerEmail)

    const found: string[] = []
    for (const path of await listedPages()) {
      // Of a delivery the endpoint and the event belong together.
      if (isEntry(path) || path.includes(':eventId')) continue
      await page.goto(addressOf(path, place))
      await settled(page)
      found.push(...(await unisolatedTexts(page)).map(text => `${path}: ${text}`))
    }
    expect(found).toEqual([])

    await page.goto(addressOf('/w/:workspaceId/conversations/:contactId', place))
    const inQuestion = (...pieces: string[]) => leftsOf(page, '[role="log"] .phone-words', pieces, arabic.text)
    for (const screen of [desktop, phone]) {
      await page.setViewportSize(screen)
      // From the right: the question's first letter, its number in its own order, the mark at its end.
      await eventually(async () => {
        expect(isGrowing((await inQuestion('ه', '1', '؟')).reverse())).toBeTrue()
        expect(isGrowing(await inQuestion('1', '0', '4'))).toBeTrue()
      })
    }
    const field = `getComputedStyle(document.querySelector('.composer textarea')).unicodeBidi`
    expect(await page.evaluate<string>(field)).toBe('plaintext')
    await page.goto(addressOf('/w/:workspaceId/messages', place))
    await settled(page)
    const row = 'tr:has(a[href$="MESSAGE"]) td[data-place="who"]'.replace('MESSAGE', messageId)
    // On a telephone name and number stand in one line: the name first, and the number as one dials it.
    const [name, ...number] = await leftsOf(page, row, ['ي', '+', '1', '5'])
    expect(isGrowing(number)).toBeTrue()
    expect(name).toBeLessThan(number[0] ?? 0)
    await page.goto(addressOf('/w/:workspaceId/conversations', place))
    await settled(page)
    const last = `a[href*="${furniture.contactId}"] .one-line:last-child`
    expect(isGrowing((await leftsOf(page, last, ['ن', '.'])).reverse())).toBeTrue()
  }
  story('Arabic and Hebrew names and texts are drawn in their order, and turn around no number', tell, sweepHungMs)
}
